package dev.onejob.provider.httpjson;

/** How a request body is written. */
public enum ContentType {
  JSON("application/json"),
  FORM("application/x-www-form-urlencoded");

  private final String mediaType;

  ContentType(String mediaType) {
    this.mediaType = mediaType;
  }

  public String mediaType() {
    return mediaType;
  }
}
