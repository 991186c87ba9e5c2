/** What is known of a mapping or list of a document, by the name of its kind. */
export interface Shape {
  readonly form: 'mapping' | 'list';
  /** By key: what a member holds, where it is no data. */
  readonly members?: Readonly<Record<string, Kind>>;
  /** What every item of a list holds, and every member of a mapping whose keys are names. */
  readonly each?: Kind;
  /** Whether a reference may stand there instead. */
  readonly refers?: boolean;
  /** Whether requests and answers can do without it, so that something else in its place counts for nothing. */
  readonly spare?: boolean;
  /** Whether nothing in its place is taken for an empty one. */
  readonly blank?: boolean;
  /** Whether an empty list is as good as none. */
  readonly full?: boolean;
  /** The keywords of a schema that stand among its members. */
  readonly keywords?: ReadonlySet<string>;
}

/** What a place holds: a schema, something of a shape, `data` that is taken as it is, or what is left out as `gone`. */
export type Kind = 'schema' | 'text' | 'mediaType' | 'data' | 'gone' | ShapeName;

type ShapeName =
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

/** How the documents of one version are put together. */
export interface Format {
  readonly shapes: Readonly<Record<ShapeName, Shape>>;
  /** What the members of the document hold, but for `paths` and the shared parts. */
  readonly root: Readonly<Record<string, Kind>>;
  /** What members of the document are that it does not have. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** What the members of a path hold, but for its operations. */
  readonly path: Readonly<Record<string, Kind>>;
  readonly operation: Readonly<Record<string, Kind>>;
  /** The member in which the shared parts stand; none where they stand in the document itself. */
  readonly sharedIn: readonly string[];
  /** The sections of shared parts, and what each part of one holds. */
  readonly sections: Readonly<Record<string, Kind>>;
  /** The section of the schemas. */
  readonly schemas: string;
  /** Where a parameter may be. */
  readonly places: readonly string[];
  /** Whether the conversion looks for the `example` of a schema. */
  readonly readsExample: boolean;
  /** Whether an operation must have `responses`. */
  readonly mustRespond: boolean;
}

const MAPPING = { form: 'mapping' } as const;
const REFERABLE = { form: 'mapping', refers: true } as const;
const SPARE = { form: 'mapping', spare: true } as const;
const SPARE_REFERABLE = { ...SPARE, refers: true } as const;

const SHAPES: Readonly<Record<ShapeName, Shape>> = {
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
    members: { schema: 'schema', examples: 'examples', encoding: 'encodings' },
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

const OPENAPI: Format = {
  shapes: SHAPES,
  // Every schema is read as the one dialect, and nobody calls a mock from outside.
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

const OPENAPI_3_1: Format = { ...OPENAPI, mustRespond: false };

/** The parameters and headers of Swagger are schemas of their own. */
const SWAGGER_KEYWORDS: ReadonlySet<string> = new Set(
  `type format items default enum pattern title uniqueItems multipleOf maximum exclusiveMaximum minimum exclusiveMinimum
   maxLength minLength maxItems minItems`.split(/\s+/),
);

const SWAGGER: Format = {
  shapes: {
    ...SHAPES,
    parameter: { ...REFERABLE, members: { schema: 'schema' }, keywords: SWAGGER_KEYWORDS },
    response: { ...REFERABLE, blank: true, members: { schema: 'schema', headers: 'headers' } },
    header: { ...REFERABLE, blank: true, keywords: SWAGGER_KEYWORDS },
  },
  root: { ...ROOT, produces: 'mediaTypes', consumes: 'mediaTypes' },
  // Without any the conversion drops all bodies. Of these it takes the ones that a body or a form can have.
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

/** How a document is put together; `openapi` is its version, of which Swagger has none. */
export function formatOf(openapi: unknown): Format {
  if (openapi === undefined || openapi === null) return SWAGGER;
  return /^3\.1/.test(String(openapi)) ? OPENAPI_3_1 : OPENAPI;
}
