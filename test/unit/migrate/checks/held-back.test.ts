import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const HINT = 'If a skipped word means that people left, answer it with =unsubscribed instead of =skip';

test.each(['migrate', 'contacts import'])(
  '%s warns when it skips people whom the audience may have (G11)',
  async (command) => {
    const world = await createWorld();
    const run = async (rows: string) => {
      world.file('list.csv', `email,status\n${rows}`);
      const { code, json } = await world.svc(`${command} list.csv --json --yes --status-map cold=skip`);
      const held = json.findings.filter((finding: { check: string }) => finding.check === 'held_back');
      return { code, held };
    };
    expect(await run('ana@example.com,active\nben@example.com,cold\n')).toEqual({ code: 0, held: [] });
    expect(await run('ana@example.com,cold\ncy@example.com,active\n')).toMatchObject({
      code: 0,
      held: [
        {
          level: 'warn',
          message:
            '1 person of this list is skipped. If the audience has the person already, this person may still get mail',
          hint: HINT,
        },
      ],
    });
    expect(await run('ana@example.com,active\ncy@example.com,active\n')).toEqual({ code: 0, held: [] });
  },
);
