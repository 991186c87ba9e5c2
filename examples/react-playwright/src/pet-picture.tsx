import type { CSSProperties } from 'react';
import { ANIMALS } from './animals.tsx';

/** Draws an animal of a category, in a coat that its id decides. */
export function PetPicture({ category = '', id }: { category?: string | undefined; id: number }) {
  const { drawing, coats } = ANIMALS[category] ?? { drawing: <PawPrint />, coats: ['#8a8178'] };
  const style = { '--coat': coats[id % coats.length] } as CSSProperties;
  return (
    <div className="picture" data-category={category} style={style}>
      <svg viewBox="0 0 120 120" aria-hidden="true">
        {drawing}
      </svg>
    </div>
  );
}

/** The mark of the shop. */
export function Paw() {
  return (
    <svg className="paw" viewBox="20 20 80 80" aria-hidden="true">
      <PawPrint />
    </svg>
  );
}

function PawPrint() {
  return (
    <g fill="var(--coat)">
      <ellipse cx="60" cy="76" rx="21" ry="17" />
      <circle cx="33" cy="60" r="8.5" />
      <circle cx="49" cy="42" r="9.5" />
      <circle cx="71" cy="42" r="9.5" />
      <circle cx="87" cy="60" r="8.5" />
    </g>
  );
}
