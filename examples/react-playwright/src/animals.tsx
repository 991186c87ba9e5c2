import type { ReactNode } from 'react';

function Eyes({ apart, y, size = 4.2 }: { apart: number; y: number; size?: number }) {
  return [-1, 1].map((side) => (
    <g key={side}>
      <circle className="ink" cx={60 + side * apart} cy={y} r={size} />
      <circle fill="#fff" cx={60 + side * apart + size / 3} cy={y - size / 3} r={size / 3} />
    </g>
  ));
}

/** A shape on the left, and the same mirrored on the right. */
function Both({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <g transform="translate(120 0) scale(-1 1)">{children}</g>
    </>
  );
}

const dog = (
  <>
    <ellipse className="coat" cx="60" cy="62" rx="31" ry="32" />
    <Both>
      <path className="shade" d="M40 32 C22 28 16 46 20 66 C22 76 33 76 35 64 C36 52 39 44 47 36 Z" />
    </Both>
    <ellipse className="light" cx="60" cy="76" rx="18" ry="15" />
    <ellipse className="ink" cx="60" cy="69" rx="6.5" ry="4.8" />
    <path className="stroke" d="M60 73 V79 M51 80 Q55.5 85 60 79 Q64.5 85 69 80" />
    <path fill="#e8707f" d="M55.5 83.5 H64.5 V88 A4.5 4.5 0 0 1 55.5 88 Z" />
    <Eyes apart={13} y={56} />
  </>
);

const cat = (
  <>
    <Both>
      <path className="coat" d="M30 58 L33 26 Q33.5 22 37 24 L58 38 Z" />
      <path fill="#f2b8b5" d="M38 43 L38.5 32 L48 39 Z" />
    </Both>
    <ellipse className="coat" cx="60" cy="66" rx="33" ry="29" />
    <path className="shade" d="M56 38 H64 L61.5 51 H58.5 Z M46 40 L52 39 L54 49 Z M74 40 L68 39 L66 49 Z" />
    <ellipse className="light" cx="60" cy="79" rx="13" ry="10" />
    <path fill="#d9757c" d="M55.5 72 H64.5 L60 77 Z" />
    <path className="stroke" d="M60 77 V80 M53 81 Q56.5 85 60 80 Q63.5 85 67 81" />
    <Both>
      <path className="stroke thin" d="M42 76 L25 73 M42 80 L26 83" />
    </Both>
    <Eyes apart={15} y={63} size={4.8} />
  </>
);

const rabbit = (
  <>
    <Both>
      <ellipse className="coat" cx="47" cy="34" rx="10" ry="27" transform="rotate(-8 47 34)" />
      <ellipse fill="#f2b8b5" cx="47" cy="35" rx="4.5" ry="19" transform="rotate(-8 47 35)" />
    </Both>
    <ellipse className="coat" cx="60" cy="76" rx="29" ry="27" />
    <Both>
      <ellipse className="light" cx="53.5" cy="85" rx="9" ry="8" />
    </Both>
    <path fill="#d9757c" d="M55.5 77 H64.5 L60 82 Z" />
    <path className="stroke" d="M60 82 V86" />
    <path fill="#fff" d="M56 88 H64 V94 Q60 96 56 94 Z" />
    <Eyes apart={14} y={69} />
  </>
);

const bird = (
  <>
    <path className="shade" d="M84 74 L108 88 L103 96 L78 88 Z" />
    <path className="stroke feet" d="M54 96 V106 M66 96 V106" />
    <path
      className="coat"
      d="M26 62 A31 31 0 0 1 57 28 C80 28 94 48 92 68 C90 88 76 98 60 98 C40 98 26 84 26 62 Z"
    />
    <ellipse className="light" cx="49" cy="80" rx="17" ry="15" />
    <path className="shade" d="M58 60 C72 54 86 60 89 72 C82 84 66 84 60 74 Z" />
    <path fill="#f0a53a" d="M29 50 L11 58 L29 64 Z" />
    <circle className="ink" cx="44" cy="49" r="4.5" />
    <circle fill="#fff" cx="45.5" cy="47.5" r="1.5" />
  </>
);

const fish = (
  <>
    <path className="shade" d="M82 62 L108 40 Q104 62 108 84 Z" />
    <path className="shade" d="M44 40 Q58 22 74 42 Z M52 82 Q60 96 70 82 Z" />
    <ellipse className="coat" cx="54" cy="62" rx="37" ry="25" />
    <path className="light" d="M62 40 Q72 62 62 84 L68 82 Q79 62 68 42 Z" opacity="0.8" />
    <path className="shade" d="M50 62 Q60 54 66 62 Q60 72 50 66 Z" />
    <circle fill="#fff" cx="35" cy="56" r="6.5" />
    <circle className="ink" cx="34" cy="56" r="3.6" />
    <path className="stroke" d="M19 67 Q25 71 29 67" />
    <g className="bubbles">
      <circle cx="16" cy="40" r="4" />
      <circle cx="25" cy="27" r="2.8" />
      <circle cx="13" cy="22" r="2" />
    </g>
  </>
);

const reptile = (
  <>
    <path
      className="coat"
      d="M60 30 C84 30 98 46 96 64 C94 84 78 96 60 96 C42 96 26 84 24 64 C22 46 36 30 60 30 Z"
    />
    <Both>
      <circle className="coat" cx="33" cy="42" r="14" />
      <circle fill="#f5dc7d" cx="33" cy="42" r="9" />
      <ellipse className="ink" cx="33" cy="42" rx="2.4" ry="7.5" />
    </Both>
    <g className="shade">
      <circle cx="60" cy="42" r="4.5" />
      <circle cx="52" cy="54" r="3" />
      <circle cx="69" cy="55" r="3.4" />
      <circle cx="60" cy="64" r="2.6" />
    </g>
    <path className="light" d="M32 76 Q60 92 88 76 Q78 95 60 96 Q42 95 32 76 Z" />
    <path className="stroke" d="M30 74 Q60 91 90 74 M55 70 V70.1 M65 70 V70.1" />
  </>
);

const rodent = (
  <>
    <Both>
      <circle className="coat" cx="35" cy="39" r="13" />
      <circle fill="#f2b8b5" cx="35" cy="39" r="7" />
    </Both>
    <path
      className="coat"
      d="M60 32 C86 32 98 56 96 74 C94 92 78 98 60 98 C42 98 26 92 24 74 C22 56 34 32 60 32 Z"
    />
    <Both>
      <ellipse className="light" cx="42" cy="80" rx="16" ry="14" />
    </Both>
    <ellipse className="light" cx="60" cy="76" rx="13" ry="12" />
    <ellipse fill="#d9757c" cx="60" cy="70" rx="4.5" ry="3.4" />
    <path className="stroke" d="M60 73 V77 M53 78 Q56.5 82 60 77 Q63.5 82 67 78" />
    <path fill="#fff" d="M57 81 H63 V86 H57 Z" />
    <Eyes apart={17} y={60} size={5} />
  </>
);

const amphibian = (
  <>
    <Both>
      <circle className="coat" cx="38" cy="40" r="16" />
      <circle fill="#fff" cx="38" cy="39" r="10" />
      <ellipse className="ink" cx="38" cy="40" rx="6" ry="4.5" />
    </Both>
    <ellipse className="coat" cx="60" cy="70" rx="40" ry="28" />
    <path className="light" d="M28 76 Q60 98 92 76 Q86 98 60 98 Q34 98 28 76 Z" />
    <path className="stroke" d="M26 70 Q60 94 94 70 M56 62 V62.1 M64 62 V62.1" />
  </>
);

/** The drawing of each category, and the coats of its animals. */
export const ANIMALS: Readonly<
  Record<string, { readonly drawing: ReactNode; readonly coats: readonly string[] }>
> = {
  Dogs: { drawing: dog, coats: ['#c98f56', '#8d6748', '#d9b48a', '#6f6259'] },
  Cats: { drawing: cat, coats: ['#e09a52', '#8b8f98', '#5d5a5f', '#cdb494'] },
  Rabbits: { drawing: rabbit, coats: ['#b79f8a', '#9a9aa2', '#d8c4ab'] },
  Birds: { drawing: bird, coats: ['#5aa9c9', '#efc443', '#7fb35a', '#d98a5f'] },
  Fish: { drawing: fish, coats: ['#ef8a3d', '#4c86c6', '#8b6fc0', '#3aa6a0'] },
  Reptiles: { drawing: reptile, coats: ['#93a857', '#c9a24e', '#b4774b'] },
  Rodents: { drawing: rodent, coats: ['#d9a866', '#a38d7a', '#8f8f99'] },
  Amphibians: { drawing: amphibian, coats: ['#6fae5c', '#3f9b8a', '#b5a642'] },
};
