import { useState, useSyncExternalStore } from 'react';
import { type Deprecation, deprecations } from './api/deprecations.ts';
import { toDay } from './words.ts';

/** Shows to developers which operations of the API will end. Customers of a real shop would not see it. */
export function DeprecationNotice() {
  const known = useSyncExternalStore(deprecations.subscribe, deprecations.read);
  const [isClosed, setClosed] = useState(false);
  if (known.length === 0 || isClosed) return null;
  return (
    <aside className="notice" aria-label="Deprecated operations">
      <strong>For developers</strong>
      <ul>
        {known.map((deprecation) => (
          <li key={deprecation.path}>
            <Sentence {...deprecation} />
          </li>
        ))}
      </ul>
      <button type="button" className="close" aria-label="Close the notice" onClick={() => setClosed(true)}>
        ×
      </button>
    </aside>
  );
}

function Sentence({ path, since, sunset, successorPath }: Deprecation) {
  return (
    <>
      <code>{path}</code> is deprecated since {toDay(since)}
      {sunset && ` and ${sunset.getTime() < Date.now() ? 'ended' : 'ends'} on ${toDay(sunset)}`}.
      {successorPath && (
        <>
          {' '}
          Use <code>{successorPath}</code>.
        </>
      )}
    </>
  );
}
