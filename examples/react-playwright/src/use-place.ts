import { type MouseEvent, useSyncExternalStore } from 'react';

const CHANGED = 'place-changed';

/** The address of the page, which decides what it shows. */
export function usePlace(): URL {
  return new URL(useSyncExternalStore(subscribe, () => location.href));
}

/** Goes to another place without loading the page again. */
export function go(place: string): void {
  history.pushState(null, '', place);
  dispatchEvent(new Event(CHANGED));
}

/** The properties of a link within the shop. A click with a key, for a new tab, stays the browser's. */
export function toLink(place: string) {
  return {
    href: place,
    onClick(event: MouseEvent) {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      go(place);
      scrollTo(0, 0);
    },
  };
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener);
  addEventListener(CHANGED, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(CHANGED, listener);
  };
}
