import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A file of `src/`, parsed. */
export interface SourceText {
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly nodes: readonly ts.Node[];
}

/** Reads all files of `src/`. */
export function readSources(): SourceText[] {
  const root = fileURLToPath(new URL('../../src/', import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      const text = readFileSync(`${root}/${file}`, 'utf8');
      const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
      return { text, tree, nodes: toNodes(tree) };
    });
}

function toNodes(node: ts.Node): ts.Node[] {
  const nodes = [node];
  ts.forEachChild(node, (child) => {
    nodes.push(...toNodes(child));
  });
  return nodes;
}
