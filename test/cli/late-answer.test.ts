import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

const CREATE = /^POST \S*\/(?:products|concepts|media-config)\/ /;

/** Hands everything on to a service; where a create follows another request on a connection, the last answer comes first. */
async function startRepeating(service: { readonly url: string }) {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((outer) => {
    const inner = net.connect(Number(new URL(service.url).port), '127.0.0.1');
    for (const socket of [inner, outer]) sockets.add(socket.on('error', () => {}));
    let answer: Buffer[] = [];
    outer.on('data', (bytes) => {
      if (CREATE.test(bytes.toString('latin1'))) outer.write(Buffer.concat(answer));
      if (answer.length) answer = [];
      inner.write(bytes);
    });
    inner.on('data', (bytes) => {
      answer.push(bytes);
      outer.write(bytes);
    });
    outer.on('close', () => inner.destroy());
    inner.on('close', () => outer.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: service.url.replace(/:\d+/, `:${(server.address() as AddressInfo).port}`),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

it('an answer that comes once more while a create is under way is not taken for that of the create', async () => {
  const service = await untilTestEnds(startBareService());
  const campaign = await campaignFolder(SINGLE, await untilTestEnds(startRepeating(service)));
  const { code, stderr } = await campaign.run(['apply', 'm.yaml']);
  expect(code, stderr).toBe(0);
  const { stdout } = await campaign.run(['state', 'export', 'm.yaml']);
  const { products, concepts, configs } = service.created;
  for (const made of [products, concepts, configs]) {
    expect(made).toHaveLength(1);
    expect(stdout).toContain(`"${made[0]?.id}"`);
  }
});
