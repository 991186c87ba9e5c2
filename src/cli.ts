import { createMock } from './mock.ts';
export async function main(argv: string[]): Promise<void> {
  const m = await createMock({
    onExchange: (e) => console.log(e.method, e.path, e.status, e.problem?.cause ?? ''),
  });
  const l = await m.listen({ port: Number(argv[0] ?? 4010) });
  console.log(l.url);
}
