import type { Settings } from '../core/service/service.ts';
import { isLoopback } from '../wire/message/message.ts';

type AccessSettings = Pick<Settings, 'control' | 'controlToken' | 'allowControlFrom'>;

/** Lists what a server offers to other machines; empty for one that only this machine can reach. */
export function toAccessRows(url: string, settings: AccessSettings): string[][] {
  if (isLoopback(url)) return [];
  return [
    ['  open', 'to other machines: the API, its sessions and the overview'],
    ['  control', formatControl(settings)],
  ];
}

function formatControl({ control, controlToken, allowControlFrom }: AccessSettings): string {
  if (!control) return 'off';
  const token = controlToken === undefined ? [] : ['and whoever sends the token'];
  const callers = ['this machine', ...allowControlFrom, ...token];
  return callers.length > 1
    ? callers.join(', ')
    : 'this machine alone; in a container, --allow-control-from private lets its host in';
}
