import type { Category, Pet } from './api/pet-store.ts';
import { PetPicture } from './pet-picture.tsx';
import { toLink } from './use-place.ts';
import { toStock } from './words.ts';

interface PetCardProps {
  readonly pet: Pet;
  readonly category: Category | undefined;
  readonly quantity: number | undefined;
}

export function PetCard({ pet, category, quantity }: PetCardProps) {
  const status = pet.status ?? 'available';
  return (
    <li className={`card ${status}`}>
      <a {...toLink(`/pets/${pet.id}`)}>
        <PetPicture category={category?.name} id={pet.id} />
        <div className="facts">
          <h2>{pet.name}</h2>
          <p className="kind">{category?.name ?? 'Others'}</p>
          <p className={`badge ${status}`}>{toStock(status, quantity)}</p>
        </div>
      </a>
    </li>
  );
}

export function PetCardSkeleton() {
  return (
    <li className="card skeleton" aria-hidden="true">
      <div className="picture" />
      <div className="facts">
        <div className="line" />
        <div className="line short" />
      </div>
    </li>
  );
}
