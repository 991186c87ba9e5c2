import { type Category, STATUSES } from './api/pet-store.ts';
import { go } from './use-place.ts';
import { STATUS_WORDS } from './words.ts';

/** Narrows the list by status and category. The choice is in the address, so that a link shows the same. */
export function Filters({ categories, query }: { categories: readonly Category[]; query: string }) {
  const chosen = new URLSearchParams(query);
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    next.delete(name);
    if (value !== '') next.set(name, value);
    go(next.size === 0 ? '/' : `/?${next}`);
  };
  return (
    <search className="filters">
      <Choice
        legend="Status"
        value={chosen.get('status') ?? ''}
        options={[['', 'All'], ...STATUSES.map((status) => [status, STATUS_WORDS[status]] as const)]}
        choose={(value) => choose('status', value)}
      />
      <Choice
        legend="Category"
        value={chosen.get('categoryId') ?? ''}
        options={[['', 'All'], ...categories.map(({ id, name }) => [String(id), name] as const)]}
        choose={(value) => choose('categoryId', value)}
      />
    </search>
  );
}

interface ChoiceProps {
  readonly legend: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly choose: (value: string) => void;
}

function Choice({ legend, value, options, choose }: ChoiceProps) {
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      {options.map(([option, label]) => (
        <label key={option}>
          <input
            type="radio"
            name={legend}
            value={option}
            checked={option === value}
            onChange={() => choose(option)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
