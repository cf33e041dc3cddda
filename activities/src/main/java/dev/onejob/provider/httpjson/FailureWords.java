package dev.onejob.provider.httpjson;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/** Our words for what the network does. Never a message of the exception: those name addresses. */
final class FailureWords {

  private FailureWords() {}

  /** No byte of the request has left. */
  static String beforeRequest(IOException e) {
    return switch (e) {
      case UnknownHostException _ -> "DNS";
      case SocketTimeoutException _ -> "CONNECT_TIMEOUT";
      case NoRouteToHostException _ -> "UNREACHABLE";
      case ConnectException _ -> "CONNECT_REFUSED";
      case SSLException _ -> "TLS";
      case InterruptedIOException _ -> "CONNECT_TIMEOUT";
      default -> "NOT_CONNECTED";
    };
  }

  /** The request may have left; no answer has begun. */
  static String beforeAnswer(IOException e) {
    return switch (e) {
      case InterruptedIOException _ -> "READ_TIMEOUT";
      case ProtocolException _ -> "PROTOCOL_ERROR";
      default -> "CONNECTION_LOST";
    };
  }

  /** An answer has begun. */
  static String insideBody(IOException e) {
    return switch (e) {
      case InterruptedIOException _ -> "READ_TIMEOUT";
      // The client's word for a body shorter than its declared length or without its last chunk.
      case ProtocolException _ -> "TRUNCATED_BODY";
      case EOFException _ -> "TRUNCATED_BODY";
      default -> "CONNECTION_LOST";
    };
  }
}
