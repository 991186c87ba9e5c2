/** A Response that knows its URL, which no constructor of the Fetch API takes. */
export class AddressedResponse extends Response {
  readonly #url: string;

  constructor(
    body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
    init: ResponseInit,
    url: string,
  ) {
    super(body, init);
    this.#url = url;
  }

  static {
    // Set here, because the type of `Response` declares both as properties, which no member of a subclass may override.
    Object.defineProperties(AddressedResponse.prototype, {
      url: {
        get(this: AddressedResponse) {
          return this.#url;
        },
      },
      clone: {
        value(this: AddressedResponse) {
          const { body, status, statusText, headers } = Response.prototype.clone.call(this);
          return new AddressedResponse(body, { status, statusText, headers }, this.#url);
        },
      },
    });
  }
}
