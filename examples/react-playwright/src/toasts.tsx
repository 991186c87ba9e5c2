import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

export interface Toast {
  readonly kind: 'success' | 'failure';
  readonly text: string;
  /** Offers to try again. */
  readonly retry?: () => void;
}

const SECONDS_OF_SUCCESS = 8;
const Show = createContext<(toast: Toast) => void>(() => {});

/** Shows a message above the page, in place of the one before. */
export function useToast(): (toast: Toast) => void {
  return useContext(Show);
}

export function Toasts({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>();
  const close = useCallback(() => setToast(undefined), []);

  useEffect(() => {
    if (toast?.kind !== 'success') return;
    const timer = setTimeout(close, SECONDS_OF_SUCCESS * 1000);
    return () => clearTimeout(timer);
  }, [toast, close]);

  return (
    <Show value={setToast}>
      {children}
      {/* Both are there from the beginning, or screen readers miss the first message. */}
      <div className="toasts">
        <div role="status">{toast?.kind === 'success' && <Message toast={toast} close={close} />}</div>
        <div role="alert">{toast?.kind === 'failure' && <Message toast={toast} close={close} />}</div>
      </div>
    </Show>
  );
}

function Message({ toast: { kind, text, retry }, close }: { toast: Toast; close: () => void }) {
  const tryAgain = () => {
    close();
    retry?.();
  };
  return (
    <div className={`toast ${kind}`}>
      <p>{text}</p>
      {retry && (
        <button type="button" onClick={tryAgain}>
          Try again
        </button>
      )}
      <button type="button" className="close" aria-label="Close" onClick={close}>
        ×
      </button>
    </div>
  );
}
