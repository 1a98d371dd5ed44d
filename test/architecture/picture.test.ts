import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { terminalSvg } from '../../scripts/terminal-svg.ts';
import type { Transport } from '../../src/base/context.ts';
import { createWorld, type World } from '../support/world.ts';

const ROOT = join(import.meta.dirname, '../..');
const PICTURE = join(ROOT, 'docs/terminal.svg');
const COMMAND = 'svc migrate samples/mailchimp-export.zip';
const COLUMNS = 80;
const LATENCY_MS = 150;

test('docs/terminal.svg shows what svc prints now (`npm run picture`)', async () => {
  const world = await createWorld();
  const picture = await terminalSvg({ title: `$ ${COMMAND}`, output: await recordRun(world), columns: COLUMNS });
  if (process.env.UPDATE) {
    writeFileSync(PICTURE, picture);
  }
  expect(picture).toBe(readFileSync(PICTURE, 'utf8'));
  expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|href|<script|<style/);
});

/** The terminal during a migration of the sample to a service with some latency. */
async function recordRun(world: World): Promise<string> {
  cpSync(join(ROOT, 'samples'), join(world.folder, 'samples'), { recursive: true });
  const { err, out } = await world.svc(COMMAND.replace('svc ', ''), {
    answers: ['y'],
    columns: COLUMNS,
    env: { SVC_BASE_URL: 'https://mail.example.com', XDG_STATE_HOME: '', FORCE_COLOR: '1' },
    transport: (inner) => delayedTransport(inner, world),
  });
  const question = '[d]etails ';
  expect(err.split(question)).toHaveLength(2);
  const screen = `$ ${COMMAND}\n${err.replace(question, `${question}y\n`)}${out}`;
  return screen.replaceAll(/(run_\d{8}T\d{9}_)[0-9a-f]{6}/g, '$15f08c1');
}

function delayedTransport(inner: Transport, { clock }: World): Transport {
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      await clock.sleep(LATENCY_MS);
      return inner.send(request, signal);
    },
  };
}
