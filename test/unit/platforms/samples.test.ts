import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyNth } from '../../support/sweep.ts';
import { createWorld } from '../../support/world.ts';

const FOLDER = join(import.meta.dirname, '../../../samples');

/** The number of rows of a sample for each outcome. Zero counts are left out. */
type Counts = Readonly<Record<string, number>>;

const SAMPLES: readonly (readonly [name: string, written: Counts, flags?: string])[] = [
  ['activecampaign.csv', { read: 5, created: 3, suppressed: 1, skipped: 1 }],
  ['aweber', { read: 4, created: 2, merged: 1, skipped: 1 }],
  ['beehiiv.csv', { read: 5, created: 3, skipped: 2 }],
  ['brevo.csv', { read: 3, created: 1, suppressed: 1, merged: 1 }],
  ['campaign-monitor.csv', { read: 5, created: 2, suppressed: 1, skipped: 2 }],
  ['contact_export_1100000000_011526_101112.csv', { read: 3, created: 2, skipped: 1 }],
  ['customers-2026-01-15_10-11.csv', { read: 4, created: 3, skipped: 1 }],
  ['drip.csv', { read: 4, created: 3, skipped: 1 }],
  ['email_list.invented-letter.csv', { read: 5, created: 3, merged: 1, skipped: 1 }],
  ['emailoctopus.csv', { read: 1, created: 1 }, '--default-status subscribed'],
  ['generic.csv', { read: 6, created: 2, suppressed: 3, skipped: 1 }],
  ['ghost-members.csv', { read: 2, created: 2 }],
  ['hubspot-crm-exports-all-contacts-2026-01-15.csv', { read: 7, created: 3, suppressed: 3, skipped: 1 }],
  ['kit.csv', { read: 6, created: 3, suppressed: 2, skipped: 1 }],
  ['klaviyo.csv', { read: 8, created: 2, suppressed: 3, skipped: 3 }],
  ['listmonk', { read: 3, created: 1, suppressed: 1, skipped: 1 }, '--default-status subscribed'],
  ['loops.csv', { read: 2, created: 2 }],
  ['mailchimp-export', { read: 43, created: 33, suppressed: 5, merged: 2, skipped: 3 }],
  ['mailchimp-export.zip', { read: 43, created: 33, suppressed: 5, merged: 2, skipped: 3 }],
  ['mailerlite.csv', { read: 5, created: 2, suppressed: 2, skipped: 1 }],
  ['mailgun', { read: 5, suppressed: 3, skipped: 2 }],
  ['postmark.csv', { read: 4, suppressed: 4 }],
  ['resend.csv', { read: 2, created: 2 }],
  ['svc-contacts-export.csv', { read: 4, created: 2, suppressed: 1, skipped: 1 }],
  ['sendgrid', { read: 12, created: 1, suppressed: 4, merged: 3, skipped: 4 }],
  ['sendy.csv', { read: 6, created: 3, suppressed: 2, skipped: 1 }],
  ['ses.csv', { read: 2, suppressed: 2 }],
  ['mailpoet.csv', { read: 6, created: 3, suppressed: 1, skipped: 2 }],
  ['fluentcrm.csv', { read: 6, created: 2, suppressed: 2, skipped: 2 }],
  ['mautic.csv', { read: 4, created: 2, suppressed: 2 }, '--default-status subscribed'],
  ['patreon.csv', { read: 4, created: 3, skipped: 1 }, '--default-status subscribed --status-map Formerpatron=skip'],
  ['phplist.csv', { read: 4, created: 2, skipped: 2 }],
  ['moosend.csv', { read: 4, created: 3, suppressed: 1 }],
  ['getresponse.csv', { read: 1, created: 1 }, '--default-status subscribed'],
  ['omnisend.csv', { read: 3, created: 2, skipped: 1 }],
  ['buttondown.csv', { read: 6, created: 3, suppressed: 2, skipped: 1 }],
  ['prestashop.csv', { read: 4, created: 2, skipped: 2 }],
  ['civicrm.csv', { read: 5, created: 4, skipped: 1 }],
  ['gambio.csv', { read: 3, created: 2, skipped: 1 }],
  ['google-groups.csv', { read: 5, created: 3, skipped: 2 }],
  ['newsletter-plugin.csv', { read: 5, created: 2, suppressed: 2, skipped: 1 }],
  ['shopware.csv', { read: 4, created: 3, skipped: 1 }],
  ['shopify.csv', { read: 3, created: 1, skipped: 2 }],
  ['woocommerce.csv', { read: 1, created: 1 }, '--default-status subscribed'],
  ['salesforce.csv', { read: 4, created: 2, suppressed: 1, skipped: 1 }],
  ['zoho.csv', { read: 4, created: 4 }],
  ['google-contacts.csv', { read: 3, created: 2, skipped: 1 }, '--default-status subscribed'],
  ['stripe.csv', { read: 1, created: 1 }, '--default-status subscribed'],
  ['eventbrite.csv', { read: 1, created: 1 }, '--default-status subscribed'],
  ['wix.csv', { read: 5, created: 2, skipped: 3 }],
  ['squarespace.csv', { read: 1, created: 1 }, '--default-status subscribed'],
];

const RUNS = SAMPLES.map(([name, written, flags = '']) => [name, written, flags] as const);
// A dry run and `contacts check` read a list as the import does, so some of the samples are enough.
const COMPARED = new Set(everyNth(RUNS, 6).map(([name]) => name));

test.each(RUNS)('writes exactly what the dry run planned: sample %s (V1)', async (name, written, flags) => {
  const world = await createWorld();
  const words = [...filesOf(join(FOLDER, name)), '--json', ...flags.split(' ').filter(Boolean)];
  const planned = COMPARED.has(name) ? await world.svc(['migrate', ...words, '--dry-run']) : undefined;
  const done = await world.svc(['migrate', ...words]);

  const { created = 0, suppressed = 0, ...others } = written;
  const sent = created + suppressed;
  expect({ code: done.code, rows: withoutZeros(done.json.rows), verified: done.json.verification.status }).toEqual({
    code: 0,
    rows: written,
    verified: 'passed',
  });
  if (!planned) {
    return;
  }
  expect({ code: planned.code, rows: withoutZeros(planned.json.rows) }).toEqual({
    code: 0,
    rows: { ...others, ...(sent > 0 && { unsent: sent }) },
  });
  const checked = await world.svc(['contacts', 'check', ...words]);
  const { same: _same, ...differences } = checked.json.counts;
  expect([checked.code, differences, checked.json.notes]).toEqual([
    0,
    { different: 0, missing: 0, extra: 0, opted_out: 0 },
    [],
  ]);
});

test.each(['emailoctopus.csv', 'listmonk/subscribers.csv'])(
  'writes nothing when the people of the sample %s have no status (C4)',
  async (name) => {
    const world = await createWorld();
    const run = await world.svc(['migrate', join(FOLDER, name), '--json']);
    const stops = run.json.findings.filter(({ level }: { level: string }) => level === 'stop');
    expect([run.code, stops.map(({ check }: { check: string }) => check)]).toEqual([5, ['no_status']]);
    expect(world.requests().filter(({ method }) => method === 'POST')).toEqual([]);
  },
);

test('each sample export has an expected result', () => {
  expect(SAMPLES.map(([name]) => name).sort()).toEqual(
    readdirSync(FOLDER)
      .filter((name) => name !== 'README.md')
      .sort(),
  );
});

function withoutZeros(rows: Counts): Counts {
  return Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0));
}

function filesOf(path: string): string[] {
  return statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesOf(join(path, name)))
    : [path];
}
