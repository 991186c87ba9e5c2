/** A small OpenAPI document, as an object. */
export function documentOf(paths: object, components: object = {}): object {
  return { openapi: '3.0.3', info: { title: 'Small', version: '1.0.0' }, paths, components };
}

/** The responses of an operation that answers 200 with JSON of a schema, and perhaps with examples. */
export function jsonAnswer(schema: object, content: object = {}): object {
  return { 200: { description: 'Fine.', content: { 'application/json': { schema, ...content } } } };
}

/** A default response with an Error object. */
export const DEFAULT_ERROR: object = {
  default: {
    description: 'A failure.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['code', 'message', 'status'],
          properties: {
            code: { type: 'string' },
            message: { type: 'string' },
            status: { type: 'integer' },
          },
        },
      },
    },
  },
};

/**
 * An example that no answer can be made of, so that the server itself fails. Only a document given as an object can hold one:
 * what is wrong in a text is found at load.
 */
export function failingExample(message = 'Broken'): object {
  return {
    toJSON() {
      throw new Error(message);
    },
  };
}
