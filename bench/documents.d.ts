/** What every generated document answers with a value that is made from its schemas. */
export declare const PROBED_PATH: string;

/** A document with this many operations: collections with items, each with schemas of its own. */
export declare function createDocument(operations: number): object;

/** A document with a few operations whose schemas all lead to each other: about 2 KB each. */
export declare function createCircularDocument(schemas: number): object;

/** A document as people write it in YAML: in blocks, with quotes only where a text needs some. */
export declare function toYaml(document: object): string;
