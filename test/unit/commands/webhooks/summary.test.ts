import { describe, expect, test } from 'vitest';
import { createDeliverySums, summaryText } from '../../../../src/commands/webhooks/delivery-summary.ts';
import { createCsvStyle, createStyle } from '../../../../src/render/text/style.ts';
import { createVirtualScreen } from '../../render/virtual-screen.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse('2026-01-30T12:00:00.000Z');

function delivery(index: number, patch: object) {
  return {
    id: `whd_000000000${index}4a184195`,
    object: 'webhook_delivery',
    endpoint_id: 'whe_00000000014a184195',
    event_id: `evt_000000000${index}4a184195`,
    event_type: 'email.bounced',
    status: 'failed',
    attempt: 7,
    response_status: 503,
    error: 'HTTP 503',
    duration_ms: 12,
    next_attempt_at: null,
    delivered_at: null,
    created_at: new Date(NOW - 2 * DAY_MS).toISOString(),
    ...patch,
  } as const;
}

function sums(count = 3) {
  const collected = createDeliverySums('whe_00000000014a184195', NOW);
  const old = new Date(NOW - 28 * DAY_MS).toISOString();
  const all = [
    delivery(1, {}),
    delivery(2, { created_at: old }),
    delivery(3, { status: 'delivered', error: null, response_status: 200, event_type: 'suppression.created' }),
  ];
  all.slice(0, count).forEach((each) => collected.add(each));
  return collected.end();
}

const ABOUT = { now: NOW, allIds: 'svc webhooks deliveries whe_00000000014a184195 --summary --json' };

describe('webhooks deliveries --summary', () => {
  test.each([
    [
      50,
      [
        '3 deliveries to whe_00000000014a184195 in the last',
        '30 days: 2 failed for good, 1 delivered.',
        'STATUS     COUNT  EVENT                ERROR',
        'failed         2  email.bounced        HTTP 503',
        'delivered      1  suppression.created  –',
        '',
        'Only the app can send failed deliveries again:',
        'open the delivery log of whe_00000000014a184195',
        'there. The service deletes 1 of them within 3',
        'days.',
        'DELIVERY                DELETED  EVENT',
        'whd_00000000024a184195  in 2 d   evt_00000000024a…',
        'whd_00000000014a184195  in 28 d  evt_00000000014a…',
      ],
    ],
    [
      80,
      [
        '3 deliveries to whe_00000000014a184195 in the last 30 days: 2 failed for good, 1',
        'delivered.',
        'STATUS     COUNT  EVENT                ERROR     NEWEST   OLDEST    ANSWER',
        'failed         2  email.bounced        HTTP 503  2 d ago  28 d ago     503',
        'delivered      1  suppression.created  –         2 d ago  2 d ago      200',
        '',
        'Only the app can send failed deliveries again: open the delivery log of',
        'whe_00000000014a184195 there. The service deletes 1 of them within 3 days.',
        'DELIVERY                DELETED  EVENT',
        'whd_00000000024a184195  in 2 d   evt_00000000024a184195',
        'whd_00000000014a184195  in 28 d  evt_00000000014a184195',
      ],
    ],
    [
      120,
      [
        '3 deliveries to whe_00000000014a184195 in the last 30 days: 2 failed for good, 1 delivered.',
        'STATUS     COUNT  EVENT                ERROR     NEWEST   OLDEST    ANSWER',
        'failed         2  email.bounced        HTTP 503  2 d ago  28 d ago     503',
        'delivered      1  suppression.created  –         2 d ago  2 d ago      200',
        '',
        'Only the app can send failed deliveries again: open the delivery log of whe_00000000014a184195 there. The service',
        'deletes 1 of them within 3 days.',
        'DELIVERY                DELETED  EVENT',
        'whd_00000000024a184195  in 2 d   evt_00000000024a184195',
        'whd_00000000014a184195  in 28 d  evt_00000000014a184195',
      ],
    ],
  ])('the summary shows failed deliveries and what to resend on %i columns', async (columns, lines) => {
    const screen = createVirtualScreen(columns);
    screen.write(summaryText(sums(), ABOUT, createStyle(false, columns)));
    expect((await screen.text()).split('\n')).toEqual(lines);
  });

  test('groups by error, status and event type, whatever the response status', () => {
    const collected = createDeliverySums('whe_00000000014a184195', NOW);
    const delivered = { status: 'delivered', error: null } as const;
    [200, 204, 200].forEach((status, index) =>
      collected.add(delivery(index, { ...delivered, response_status: status })),
    );
    [503, 503].forEach((status, index) => collected.add(delivery(index + 3, { response_status: status })));
    expect(collected.end().groups).toMatchObject([
      { status: 'delivered', count: 3, response_status: null },
      { status: 'failed', count: 2, response_status: 503 },
    ]);
  });

  test('the summary of deliveries says when there is no delivery', () => {
    expect(summaryText(sums(0), ABOUT, createStyle(false, 80))).toBe(
      'No deliveries to whe_00000000014a184195 in the last 30 days.\n',
    );
    expect(summaryText(sums(0), ABOUT, createStyle(false))).toBe('');
  });

  test('the summary names a command to list all when more than 20 failed', () => {
    const many = createDeliverySums('whe_1', NOW);
    for (let index = 0; index < 22; index += 1) {
      many.add(delivery(1, { id: `whd_${index}` }));
    }
    const text = summaryText(many.end(), ABOUT, createStyle(false, 80));
    expect(text.endsWith(`and 2 more, which are deleted later. All of them:\n  ${ABOUT.allIds}\n`)).toBe(true);
  });

  test('prints a tab-separated line for each group, and CSV with a header', () => {
    const piped = summaryText(sums(), ABOUT, createStyle(false)).split('\n');
    expect(piped[0]?.split('\t').slice(0, 6)).toEqual(['2', 'failed', 'email.bounced', '503', 'HTTP 503', '1']);
    expect(summaryText(sums(), ABOUT, createCsvStyle(true)).split('\n')[0]).toBe(
      'count,status,event_type,response_status,error,expiring,oldest_at,newest_at',
    );
  });
});
