import { DeprecationNotice } from './deprecation-notice.tsx';
import { PetPage } from './pet-page.tsx';
import { Paw } from './pet-picture.tsx';
import { ShopPage } from './shop-page.tsx';
import { Toasts } from './toasts.tsx';
import { toLink, usePlace } from './use-place.ts';

export function App() {
  const place = usePlace();
  const id = place.pathname.match(/^\/pets\/(\d+)$/)?.[1];
  return (
    <Toasts>
      <header className="top">
        <a className="brand" {...toLink('/')}>
          <Paw />
          Whisker &amp; Fin
        </a>
        <p>Animals looking for a home, since 1987</p>
      </header>
      <main>{id === undefined ? <ShopPage query={place.search} /> : <PetPage key={id} id={id} />}</main>
      <DeprecationNotice />
    </Toasts>
  );
}
