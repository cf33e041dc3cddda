package dev.onejob.provider.httpjson;

import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/** A body that the client may not write a second time: without it a 503 is still resent. */
final class OneShotBody extends RequestBody {

  private final byte[] bytes;
  private final MediaType type;

  OneShotBody(byte[] bytes, String type) {
    this.bytes = bytes;
    this.type = MediaType.get(type);
  }

  @Override
  public @Nullable MediaType contentType() {
    return type;
  }

  @Override
  public long contentLength() {
    return bytes.length;
  }

  @Override
  public boolean isOneShot() {
    return true;
  }

  @Override
  public void writeTo(BufferedSink sink) throws IOException {
    sink.write(bytes);
  }
}
