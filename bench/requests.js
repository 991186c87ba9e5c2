import { createFigures } from './figures.js';
import { measureRound, rehearse } from './measure.js';
import { toReport } from './report.js';

/** Measures petstore-mock beside its peers: `{ ratios, figures, notes }`, and whether it is `complete`. */
export async function measureRequests(options, context) {
  const figures = createFigures(options.rounds);
  const working = await rehearse(context, figures);
  const servers = working.map(({ server }) => server);
  for (let round = 0; round < options.rounds; round += 1) {
    console.error(`requests: round ${round + 1} of ${options.rounds}`);
    await measureRound(rotate(servers, round), context, options, figures);
  }
  return { ...toReport({ figures, working }), complete: figures.reasons().length === 0 };
}

/** No server is the first one in every round. */
function rotate(servers, round) {
  const first = round % servers.length;
  return [...servers.slice(first), ...servers.slice(0, first)];
}
