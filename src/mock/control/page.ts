import type { OperationOverview, Overview } from './overview.ts';

/** Writes an overview as a page without scripts, in the colors that the reader prefers. */
export function toPage({ name, version, document, links, resources, operations }: Overview): string {
  const tags = [...new Set(operations.map(tagOf))];
  const rows = resources.map(
    ({ name: resource, path, entities }) =>
      `<li><a href="${toHtml(path)}">${toHtml(resource)}</a> ${entities === undefined ? '' : `<small>${entities}</small>`}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${toHtml(document)} · ${name}</title>
<style>${STYLE}</style>
<h1>${toHtml(document)}</h1>
<p>Served by ${name} ${version}. The document: <a href="${toHtml(links.openapi)}">JSON</a>, <a href="${toHtml(links.yaml)}">YAML</a>.
<a href="${toHtml(links.health)}">Health</a>.</p>
${rows.length === 0 ? '' : `<h2>Resources</h2>\n<ul>${rows.join('\n')}</ul>`}
${tags
  .map((tag) =>
    toSection(
      tag,
      operations.filter((each) => tagOf(each) === tag),
    ),
  )
  .join('\n')}
</html>
`;
}

/** The tag under which an operation is listed; empty for none. */
function tagOf({ tags }: OperationOverview): string {
  return tags[0] ?? '';
}

function toSection(tag: string, operations: readonly OperationOverview[]): string {
  return `<h2>${toHtml(tag === '' ? 'Operations' : tag)}</h2>\n${operations.map(toEntry).join('\n')}`;
}

function toEntry({ method, path, summary, deprecated, curl }: OperationOverview): string {
  const mark = deprecated ? ' <em>deprecated</em>' : '';
  return `<details><summary><b>${method}</b> <code>${toHtml(path)}</code> ${toHtml(summary)}${mark}</summary>
<pre>${toHtml(curl)}</pre></details>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
ul { columns: 14rem; padding-left: 1.2rem }
details { border-top: 1px solid #8884; padding: .3rem 0 }
summary { cursor: pointer }
b { display: inline-block; min-width: 4.5rem; font-size: .85rem }
pre { overflow-x: auto; background: #8882; padding: .6rem; border-radius: .3rem }
small, em { opacity: .7 }
`;
