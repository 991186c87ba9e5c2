import { useCallback, useEffect } from 'react';
import { listCategories, listInventory, listPets } from './api/pet-store.ts';
import { Filters } from './filters.tsx';
import { PetCard, PetCardSkeleton } from './pet-card.tsx';
import { useToast } from './toasts.tsx';
import { useLoad } from './use-load.ts';
import { go } from './use-place.ts';
import { toFailure } from './words.ts';

/** The shop window: all pets, or those that the query of the address asks for. */
export function ShopPage({ query }: { query: string }) {
  const { data, error, isLoading, reload } = useLoad(
    useCallback(
      async (signal: AbortSignal) => {
        const filter = Object.fromEntries(new URLSearchParams(query));
        const [pets, categories, inventory] = await Promise.all([
          listPets(filter, signal),
          listCategories(signal),
          listInventory(signal),
        ]);
        return { pets, categories, stock: new Map(inventory.map((item) => [item.petId, item.quantity])) };
      },
      [query],
    ),
  );
  const toast = useToast();
  useEffect(() => {
    if (error) toast(toFailure(error, reload));
  }, [error, toast, reload]);

  return (
    <>
      <title>Whisker &amp; Fin</title>
      <div className="heading">
        <h1>Our animals</h1>
        {data && (
          <p aria-live="polite">{data.pets.length === 1 ? '1 animal' : `${data.pets.length} animals`}</p>
        )}
      </div>
      <Filters categories={data?.categories ?? []} query={query} />
      <ul className="pets" aria-label="Animals" aria-busy={isLoading}>
        {data?.pets.map((pet) => (
          <PetCard
            key={pet.id}
            pet={pet}
            category={data.categories.find(({ id }) => id === pet.categoryId)}
            quantity={data.stock.get(pet.id)}
          />
        ))}
        {!data &&
          isLoading &&
          Array.from({ length: 8 }, (_, place) => <PetCardSkeleton key={String(place)} />)}
      </ul>
      {data?.pets.length === 0 && (
        <div className="empty">
          <p>Nobody here who fits.</p>
          <button type="button" className="quiet" onClick={() => go('/')}>
            Show all animals
          </button>
        </div>
      )}
      {!data && !isLoading && <p className="empty">Our animals are hiding.</p>}
    </>
  );
}
