import { type FormEvent, useRef, useState } from 'react';
import { type Pet, placeOrder } from './api/pet-store.ts';
import { useToast } from './toasts.tsx';
import { isTemporary, toFailure } from './words.ts';

interface OrderFormProps {
  readonly pet: Pet;
  readonly stock: number;
  /** Called when the stock has changed, or turned out to be another one. */
  readonly ordered: () => void;
}

export function OrderForm({ pet, stock, ordered }: OrderFormProps) {
  const [quantity, setQuantity] = useState('1');
  const [isSending, setSending] = useState(false);
  const key = useRef(crypto.randomUUID());
  const toast = useToast();

  // The same order keeps its key, so that a retry never orders twice. Another one gets another key.
  const change = (next: string) => {
    key.current = crypto.randomUUID();
    setQuantity(next);
  };
  const order = async () => {
    setSending(true);
    try {
      const { id } = await placeOrder({ petId: pet.id, quantity: Number(quantity) }, key.current);
      toast({ kind: 'success', text: `Thank you! Order ${id} is on its way: ${quantity} × ${pet.name}.` });
    } catch (error) {
      toast(toFailure(error, order));
      if (isTemporary(error)) return;
    } finally {
      setSending(false);
    }
    change('1');
    ordered();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    order();
  };

  return (
    <form className="order" onSubmit={submit}>
      <label>
        Quantity
        <input
          type="number"
          min={1}
          max={stock}
          required
          value={quantity}
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <button type="submit" className="primary" disabled={isSending}>
        {isSending ? 'Ordering…' : `Order ${pet.name}`}
      </button>
    </form>
  );
}
