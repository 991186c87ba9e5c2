import type { DeclaredContent } from '../../model/operations/operations.ts';
import { toMediaType } from '../../wire/codecs/codecs.ts';
import type { Points } from './coverage-report.ts';
import { SchemaPoint } from './schema-points.ts';

interface ObservedContent {
  readonly mediaType: string;
  readonly point: SchemaPoint | undefined;
  isSeen: boolean;
}

/** The points of a body in all its media types. */
interface ContentPoints {
  readonly properties: Points;
  readonly values: Points;
  readonly mediaTypes: Points;
}

/** The contents of a request or a response, and what bodies have had of them. */
export class ObservedContents {
  readonly #contents: readonly ObservedContent[];
  #lastHeader: string | undefined;
  #last: ObservedContent | undefined;

  constructor(contents: readonly DeclaredContent[]) {
    this.#contents = contents.map(({ mediaType, schema }) => ({
      mediaType,
      point: schema && new SchemaPoint(schema),
      isSeen: false,
    }));
  }

  /** Notes a body. `read` is called for its value where the document describes that. */
  visit(header: string | undefined, read: () => unknown): void {
    // Most clients send the same header each time.
    const content = header === this.#lastHeader && this.#last ? this.#last : this.#find(header);
    if (!content) return;
    this.#lastHeader = header;
    this.#last = content;
    content.isSeen = true;
    if (!content.point || content.point.isComplete) return;
    const value = read();
    if (value !== undefined) content.point.visit(value);
  }

  /** Lists the points. A property counts once, whatever the format that shows it. */
  list(side: string, prefix: string): ContentPoints {
    const properties: Record<string, boolean> = {};
    const values: Record<string, boolean> = {};
    const mediaTypes: Record<string, boolean> = {};
    for (const { mediaType, point, isSeen } of this.#contents) {
      mediaTypes[`${side} ${mediaType}`] = isSeen;
      const found = point?.list();
      for (const [name, seen] of found?.places ?? []) note(properties, prefix + name, seen);
      for (const [name, seen] of found?.values ?? []) note(values, `${side} ${name}`, seen);
    }
    return { properties, values, mediaTypes };
  }

  #find(header: string | undefined): ObservedContent | undefined {
    if (header === undefined) return this.#contents[0];
    const exact = this.#contents.find(({ mediaType }) => mediaType === header);
    if (exact) return exact;
    const type = toMediaType(header);
    return this.#contents.find(({ mediaType }) => toMediaType(mediaType) === type);
  }
}

function note(points: Record<string, boolean>, name: string, seen: boolean): void {
  points[name] = seen || points[name] === true;
}
