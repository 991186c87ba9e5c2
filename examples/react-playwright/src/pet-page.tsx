import { useCallback, useEffect } from 'react';
import { getPet, getStock, listCategories } from './api/pet-store.ts';
import { OrderForm } from './order-form.tsx';
import { PetPicture } from './pet-picture.tsx';
import { useToast } from './toasts.tsx';
import { useLoad } from './use-load.ts';
import { toLink } from './use-place.ts';
import { toFailure, toStock } from './words.ts';

/** One pet, and the form to order it. */
export function PetPage({ id }: { id: string }) {
  const { data, error, isLoading, reload } = useLoad(
    useCallback(
      async (signal: AbortSignal) => {
        const [pet, { quantity }, categories] = await Promise.all([
          getPet(id, signal),
          getStock(id, signal),
          listCategories(signal),
        ]);
        return { pet, quantity, category: categories.find((category) => category.id === pet.categoryId) };
      },
      [id],
    ),
  );
  const toast = useToast();
  useEffect(() => {
    if (error) toast(toFailure(error, reload));
  }, [error, toast, reload]);

  const status = data?.pet.status ?? 'available';
  return (
    <>
      <title>{`${data ? `${data.pet.name} · ` : ''}Whisker & Fin`}</title>
      <a className="back" {...toLink('/')}>
        ← All animals
      </a>
      <article className="pet" aria-busy={isLoading}>
        {data ? (
          <>
            <PetPicture category={data.category?.name} id={data.pet.id} />
            <div className="about">
              <p className="kind">{data.category?.name ?? 'Others'}</p>
              <h1>{data.pet.name}</h1>
              <p className={`badge ${status}`}>{toStock(status, data.quantity)}</p>
              {data.category?.description && <p className="description">{data.category.description}.</p>}
              {status === 'available' ? (
                <OrderForm pet={data.pet} stock={data.quantity} ordered={reload} />
              ) : (
                <p className="gone">{data.pet.name} cannot be ordered right now.</p>
              )}
            </div>
          </>
        ) : isLoading ? (
          <div className="picture skeleton" />
        ) : (
          <p className="empty">There is nothing to see here.</p>
        )}
      </article>
    </>
  );
}
