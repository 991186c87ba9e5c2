/** The structure of one kind of mapping or list in a document. */
export interface NodeLayout {
  readonly form: 'mapping' | 'list';
  /** The kinds of the members by key; others are data. */
  readonly members?: Readonly<Record<string, Kind>>;
  /** The kind of every item of a list, or of every member of a mapping whose keys are names. */
  readonly each?: Kind;
  /** Whether a reference may replace it. */
  readonly refers?: boolean;
  /** Whether an operation works without it, so that an invalid one is ignored. */
  readonly spare?: boolean;
  /** Whether null counts as an empty one. */
  readonly blank?: boolean;
  /** Whether an empty list is left out. */
  readonly full?: boolean;
  /** The schema keywords among its members. */
  readonly keywords?: ReadonlySet<string>;
}

/** The kind of a node: a schema, a scalar, one with a layout, `data` that stays unchanged, or `gone` if it is left out. */
export type Kind = 'schema' | 'text' | 'mediaType' | 'data' | 'gone' | LayoutName;

type LayoutName =
  | 'parameters'
  | 'parameter'
  | 'body'
  | 'response'
  | 'headers'
  | 'header'
  | 'contents'
  | 'content'
  | 'encodings'
  | 'encoding'
  | 'examples'
  | 'example'
  | 'servers'
  | 'server'
  | 'variables'
  | 'variable'
  | 'requirements'
  | 'requirement'
  | 'scopes'
  | 'scheme'
  | 'info'
  | 'license'
  | 'mediaTypes';

/** The structure of the documents of one version. */
export interface DocumentFormat {
  readonly layouts: Readonly<Record<LayoutName, NodeLayout>>;
  /** The kinds of the document's members, without `paths` and the shared parts. */
  readonly root: Readonly<Record<string, Kind>>;
  /** The values of missing members. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The kinds of a path's members, without its operations. */
  readonly path: Readonly<Record<string, Kind>>;
  readonly operation: Readonly<Record<string, Kind>>;
  /** The path of the member that contains the shared parts; empty for the document itself. */
  readonly sharedIn: readonly string[];
  /** The kind of the shared parts by section. */
  readonly sections: Readonly<Record<string, Kind>>;
  /** The section of the schemas. */
  readonly schemas: string;
  /** The valid values of a parameter's `in`. */
  readonly places: readonly string[];
  /** Whether the conversion reads the `example` of a schema. */
  readonly readsExample: boolean;
  /** Whether an operation must have `responses`. */
  readonly mustRespond: boolean;
}

const MAPPING = { form: 'mapping' } as const;
const REFERABLE = { form: 'mapping', refers: true } as const;
const SPARE = { form: 'mapping', spare: true } as const;
const SPARE_REFERABLE = { ...SPARE, refers: true } as const;

const LAYOUTS: Readonly<Record<LayoutName, NodeLayout>> = {
  parameters: { form: 'list', each: 'parameter' },
  parameter: { ...REFERABLE, members: { schema: 'schema', content: 'contents', examples: 'examples' } },
  body: { ...REFERABLE, members: { content: 'contents' } },
  response: {
    ...REFERABLE,
    blank: true,
    members: { headers: 'headers', content: 'contents', links: 'gone' },
  },
  headers: { ...MAPPING, each: 'header' },
  header: {
    ...REFERABLE,
    blank: true,
    members: { schema: 'schema', content: 'contents', examples: 'examples' },
  },
  contents: { ...REFERABLE, each: 'content' },
  content: {
    ...REFERABLE,
    blank: true,
    members: { schema: 'schema', itemSchema: 'schema', examples: 'examples', encoding: 'encodings' },
  },
  encodings: { ...SPARE, each: 'encoding' },
  encoding: { ...SPARE_REFERABLE, members: { headers: 'headers' } },
  examples: { ...SPARE, each: 'example' },
  example: SPARE_REFERABLE,
  servers: { ...SPARE, form: 'list', each: 'server' },
  server: { ...SPARE_REFERABLE, members: { url: 'text', variables: 'variables' } },
  variables: { ...SPARE, each: 'variable' },
  variable: SPARE_REFERABLE,
  requirements: { ...SPARE, form: 'list', each: 'requirement' },
  requirement: { ...SPARE, each: 'scopes' },
  scopes: { form: 'list', blank: true, spare: true },
  scheme: { ...SPARE_REFERABLE, members: { type: 'text', scheme: 'text', name: 'text', in: 'text' } },
  info: { ...SPARE_REFERABLE, members: { license: 'license' } },
  license: SPARE_REFERABLE,
  mediaTypes: { ...SPARE, form: 'list', each: 'mediaType', full: true },
};

const ROOT = { servers: 'servers', security: 'requirements', info: 'info' } as const;
const PATH = { parameters: 'parameters', servers: 'servers' } as const;
const OPERATION = { ...PATH, security: 'requirements', callbacks: 'gone' } as const;

const OPENAPI: DocumentFormat = {
  layouts: LAYOUTS,
  // Every schema is read in the same dialect, and a mock sends no webhooks.
  root: { ...ROOT, jsonSchemaDialect: 'gone', webhooks: 'gone' },
  defaults: {},
  path: PATH,
  operation: { ...OPERATION, requestBody: 'body' },
  sharedIn: ['components'],
  sections: {
    schemas: 'schema',
    parameters: 'parameter',
    responses: 'response',
    requestBodies: 'body',
    headers: 'header',
    examples: 'example',
    securitySchemes: 'scheme',
  },
  schemas: 'schemas',
  places: ['path', 'query', 'header', 'cookie'],
  readsExample: false,
  mustRespond: true,
};

const OPENAPI_3_1: DocumentFormat = { ...OPENAPI, mustRespond: false };

/** In Swagger, parameters and headers are schemas themselves. */
export const SWAGGER_KEYWORDS: ReadonlySet<string> = new Set(
  `type format items default enum pattern title uniqueItems multipleOf maximum exclusiveMaximum minimum exclusiveMinimum
   maxLength minLength maxItems minItems`.split(/\s+/),
);

const SWAGGER: DocumentFormat = {
  layouts: {
    ...LAYOUTS,
    parameter: { ...REFERABLE, members: { schema: 'schema' }, keywords: SWAGGER_KEYWORDS },
    response: { ...REFERABLE, blank: true, members: { schema: 'schema', headers: 'headers' } },
    header: { ...REFERABLE, blank: true, keywords: SWAGGER_KEYWORDS },
  },
  root: { ...ROOT, produces: 'mediaTypes', consumes: 'mediaTypes' },
  // The conversion drops all bodies without media types, and picks the ones that fit a body or a form.
  defaults: {
    produces: ['application/json'],
    consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  },
  path: PATH,
  operation: { ...OPERATION, produces: 'mediaTypes', consumes: 'mediaTypes' },
  sharedIn: [],
  sections: {
    definitions: 'schema',
    parameters: 'parameter',
    responses: 'response',
    securityDefinitions: 'scheme',
  },
  schemas: 'definitions',
  places: ['path', 'query', 'header', 'body', 'formData'],
  readsExample: true,
  mustRespond: true,
};

/** Returns the format for the value of `openapi`, which Swagger documents lack. */
export function formatOf(openapi: unknown): DocumentFormat {
  if (openapi === undefined || openapi === null) return SWAGGER;
  return /^3\.[12]/.test(String(openapi)) ? OPENAPI_3_1 : OPENAPI;
}
