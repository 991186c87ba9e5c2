import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles/page.css';
import './styles/filters.css';
import './styles/cards.css';
import './styles/pictures.css';
import './styles/skeletons.css';
import './styles/pet.css';
import './styles/messages.css';
import './styles/narrow.css';

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
