import { existsSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

const AUDIENCE = ['--create-audience', '--audience-name', 'News', '--yes', '--json'];

describe('report.html, the result of a run as a web page', () => {
  test('writes report.html as a private file when a run ends (D6)', async () => {
    const world = await createWorld();
    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(30)), ...AUDIENCE]);
    expect(code).toBe(0);
    const page = readFileSync(json.files.report_html, 'utf8');
    expect(page).toContain('Where every row went');
    expect(page.slice(page.indexOf('</style>'))).not.toContain('@');
    expect(statSync(json.files.report_html).mode & 0o777).toBe(0o600);
  });

  test('writes report.html when a check stops the run', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', 'Email,Status\nann@example.com,zzgrmbl\n');
    const { code, json } = await world.svc(['migrate', list, ...AUDIENCE]);
    expect(code).toBe(5);
    expect(readFileSync(json.files.report_html, 'utf8')).toContain('zzgrmbl');
  });

  test('writes the same page with --report-html and with runs show --html', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(3));
    const { json } = await world.svc(['migrate', list, ...AUDIENCE, '--report-html', 'copy.html']);
    const page = readFileSync(json.files.report_html, 'utf8');
    expect(readFileSync(join(world.folder, 'copy.html'), 'utf8')).toBe(page);
    unlinkSync(json.files.report_html);
    const both = await world.svc(['runs', 'show', json.run, '--html', 'again.html', '--json']);
    expect(both.json.run).toBe(json.run);
    const { code, out } = await world.svc(['runs', 'show', json.run, '--html', 'again.html']);
    expect([code, out]).toEqual([0, '']);
    expect(readFileSync(join(world.folder, 'again.html'), 'utf8')).toBe(page);
  });

  test('names the file that runs show --html cannot write', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(3));
    const first = await world.svc(['migrate', list, ...AUDIENCE]);
    const { code, err } = await world.svc(['runs', 'show', first.json.run, '--html', 'nowhere/page.html']);
    expect(code).toBe(2);
    expect(err).toContain('nowhere/page.html');
    expect(existsSync(join(world.folder, 'nowhere'))).toBe(false);
  });

  test('report.html shows waits and requests over time when --rate is low', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(2_500));
    const { json } = await world.svc(['migrate', list, ...AUDIENCE, '--rate', '30', '--plan', 'paid']);
    const sent = json.timeline.sent.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0);
    expect(sent).toBeGreaterThanOrEqual(2_500);
    expect(json.timeline.waits.length).toBeGreaterThan(0);
    expect(Date.parse(json.timeline.ended_at)).toBeGreaterThan(Date.parse(json.timeline.started_at));
    expect(readFileSync(json.files.report_html, 'utf8')).toContain('class="wait"');
  });

  test('runs show refuses --html for a check, which has no page', async () => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\nana@example.com,subscribed\n');
    await world.svc('contacts check list.csv');
    const { code, out, err } = await world.svc('runs show latest --html page.html');
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('is a check')]);
  });
});
