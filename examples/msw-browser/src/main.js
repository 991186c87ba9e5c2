import { startMock } from './mock.js';

const API = 'https://api.example.com/v1';

// An app starts its mock in development only: if (import.meta.env.DEV).
await startMock(API);
await show();

document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const status = document.querySelector('[role=status]');
  try {
    const { name } = Object.fromEntries(new FormData(form));
    const response = await fetch(`${API}/toys`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    status.textContent = response.ok ? `Added ${name}.` : (await response.json()).message;
    await show();
  } catch {
    status.textContent = 'The connection was lost.';
  }
});

async function show() {
  const toys = await (await fetch(`${API}/toys`)).json();
  const items = toys.map(({ name }) => Object.assign(document.createElement('li'), { textContent: name }));
  document.querySelector('ul').replaceChildren(...items);
}
