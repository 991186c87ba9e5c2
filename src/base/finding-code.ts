/** The cause of a finding in a request. The codes are stable and explained in docs/codes.md; messages may be reworded. */
export type FindingCode = SchemaKeyword | OwnFindingCode;

/** The keyword of JSON Schema that a value breaks. */
type SchemaKeyword = (typeof SCHEMA_KEYWORDS)[number];

/** A cause that no keyword of JSON Schema describes. */
type OwnFindingCode =
  /** The query has a parameter that resembles a declared one. */
  | 'parameter-unknown'
  /** The text of a parameter does not follow the style that the document declares. */
  | 'parameter-malformed'
  /** The preference has no effect, because its name or its value is unknown. */
  | 'preference-ignored'
  /** The query sorts by a property that the entities do not have. */
  | 'sort-unknown'
  /** The cursor is not from an answer of this list. */
  | 'cursor-unknown'
  /** The operation takes no body, but the request has one. */
  | 'body-ignored'
  /** The body has a member that its schema does not name. */
  | 'member-unknown'
  /** The body would change a property that cannot change, such as the key. */
  | 'property-fixed'
  /** No URL can hold the key. */
  | 'key-invalid'
  /** The number is too large for a double. */
  | 'number-range'
  /** The value nests too deeply. */
  | 'nesting-deep'
  /** The schema allows no value at this place. */
  | 'schema-false'
  /** The value breaks its schema in a way that no keyword describes. */
  | 'schema-mismatch'
  /** The root element has another name than the document declares. */
  | 'xml-root'
  /** An XML element has text where its schema has elements. */
  | 'xml-text'
  /** The request has more findings than are listed. */
  | 'findings-omitted';

const SCHEMA_KEYWORDS = [
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'required',
  'additionalProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependencies',
  'minItems',
  'maxItems',
  'uniqueItems',
  'additionalItems',
  'contains',
  'anyOf',
  'oneOf',
  'not',
] as const;

const KEYWORDS: ReadonlyMap<string, FindingCode> = new Map<string, FindingCode>([
  ...SCHEMA_KEYWORDS.map((keyword) => [keyword, keyword] as const),
  // These are names of the validator's own.
  ['range', 'format'],
  ['false schema', 'schema-false'],
]);

/** The code of a keyword, as the validator names it. */
export function toFindingCode(keyword: string): FindingCode {
  return KEYWORDS.get(keyword) ?? 'schema-mismatch';
}
