import { LIMITS } from '../../base/limits.ts';
import { type Diagnostic, toDiagnostic, toSource } from '../../document/document.ts';
import type { Operation } from '../../model/operations/operations.ts';
import type { Service } from './build.ts';

const found = new WeakMap<Pick<Service, 'document' | 'table'>, readonly Diagnostic[]>();

/** Names the operations whose answers are too large to make up. Searches when the notes are first read, never for a request. */
export function findLargeAnswers(service: Pick<Service, 'document' | 'table'>): readonly Diagnostic[] {
  const { document, table } = service;
  const known = found.get(service) ?? table.operations.filter(hasLargeAnswer).map(toLargeAnswer(document));
  found.set(service, known);
  return known;
}

/** Whether a successful answer has a schema without a small enough value, and no example. */
function hasLargeAnswer(operation: Operation): boolean {
  const { codes, outline } = operation;
  const large = codes.filter(
    (code) =>
      /^[123]/.test(code) && outline.answerContents(code).some(({ schema }) => schema?.size.isTooLarge),
  );
  return large.some((code) =>
    operation.responses
      .filter((response) => response.code === code)
      .some(({ contents }) => contents.some(({ examples }) => examples.length === 0)),
  );
}

function toLargeAnswer({ location }: Pick<Service['document'], 'location'>) {
  // The text of the document, which knows its lines, is gone by now.
  const source = toSource(undefined, location);
  return ({ label, path, method }: Operation): Diagnostic =>
    toDiagnostic('changed', label, {
      code: 'answer-too-large',
      source,
      path: ['paths', path, method.toLowerCase()],
      reason: `an answer of it has more than ${LIMITS.answerValues.value.toLocaleString('en')} values, or nests without end, so its requests get a 500`,
      remedy: 'Require fewer members and items, or add an example.',
    });
}
