type Init = ConstructorParameters<typeof Response>;

/** Builds a Response that knows its URL, which no constructor of the Fetch API takes. */
export function createAddressedResponse(body: Init[0], init: Init[1], url: string): Response {
  AddressedResponse ??= buildClass();
  return new AddressedResponse(body, init, url);
}

/** Built for the first answer, because Node loads its whole Fetch API at the first use of `Response`, and most servers never need it. */
let AddressedResponse: ReturnType<typeof buildClass> | undefined;

function buildClass() {
  class AddressedResponse extends Response {
    readonly #url: string;

    constructor(body: Init[0], init: Init[1], url: string) {
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
  return AddressedResponse;
}
