import { expect, test } from 'vitest';
import {
  audiencesTable,
  automationsTable,
  contactsTable,
  suppressionsTable,
} from '../../../../src/render/lists/resources.ts';
import { runsTable } from '../../../../src/render/lists/runs.ts';
import { createStyle, type Style } from '../../../../src/render/text/style.ts';
import { createVirtualScreen } from '../virtual-screen.ts';

const NOW = Date.parse('2026-01-02T12:00:00.000Z');
const T = '2026-01-02T10:00:00.000Z';
const LONG = 'Kundinnen und Kunden '.repeat(20);

const TABLES: Readonly<Record<string, (style: Style) => string>> = {
  audiences: (style) =>
    audiencesTable(
      [
        { id: 'aud_00000000014a184195', object: 'audience', name: LONG, created_at: T, updated_at: T },
        { id: 'aud_00000000024a184195', object: 'audience', name: '東京の読者', created_at: T, updated_at: T },
      ],
      NOW,
      style,
    ),
  automations: (style) =>
    automationsTable(
      [
        {
          id: 'aut_00000000014a184195',
          object: 'automation',
          name: LONG,
          status: 'active',
          trigger: 'audience_join',
          audience_id: 'aud_00000000014a184195',
          live_version: 12,
          sandbox: true,
          created_at: T,
          updated_at: T,
        },
      ],
      style,
    ),
  contacts: (style) =>
    contactsTable(
      [
        {
          id: 'sub_00000000014a184195',
          object: 'contact',
          email: 'ana.a.very.long.address@customers.example.com',
          status: 'unsubscribed',
          first_name: 'Ana',
          last_name: '読者',
        },
      ],
      style,
    ),
  suppressions: (style) =>
    suppressionsTable(
      [{ id: 'sup_00000000014a184195', email: 'ana@example.com', reason: 'bounced' }, { id: 'sup_00000000024a184195' }],
      style,
    ),
  runs: (style) =>
    runsTable(
      [
        {
          run: 'run_20260102T100000000_4f1c0a',
          command: 'suppressions import',
          status: 'interrupted',
          origin: 'https://api.mail.example.com',
          destination: 'Newsletter',
          startedAt: Date.parse(T),
          endedAt: undefined,
          folder: '/state/run_1',
          copiedBytes: 0,
          unknown: 3,
        },
      ],
      NOW,
      style,
    ),
};

test.each([
  {
    name: 'audiences',
    columns: 50,
    lines: [
      'ID                      NAME',
      'aud_00000000014a184195  Kundinnen und Kunden Kund…',
      'aud_00000000024a184195  東京の読者',
    ],
  },
  {
    name: 'audiences',
    columns: 80,
    lines: [
      'ID                      NAME                                    CREATED  UPDATED',
      'aud_00000000014a184195  Kundinnen und Kunden Kundinnen und Ku…  2 h ago  2 h ago',
      'aud_00000000024a184195  東京の読者                              2 h ago  2 h ago',
    ],
  },
  {
    name: 'audiences',
    columns: 120,
    lines: [
      'ID                      NAME                                                                            CREATED  UPDATED',
      'aud_00000000014a184195  Kundinnen und Kunden Kundinnen und Kunden Kundinnen und Kunden Kundinnen und …  2 h ago  2 h ago',
      'aud_00000000024a184195  東京の読者                                                                      2 h ago  2 h ago',
    ],
  },
  {
    name: 'automations',
    columns: 50,
    lines: [
      'id        aut_00000000014a184195',
      'name      Kundinnen und Kunden Kundinnen und',
      '          Kunden Kundinnen und Kunden Kundinnen',
      '          und Kunden Kundinnen und Kunden',
      '          Kundinnen und Kunden Kundinnen und',
      '          Kunden Kundinnen und Kunden Kundinnen',
      '          und Kunden Kundinnen und Kunden',
      '          Kundinnen und Kunden Kundinnen und',
      '          Kunden Kundinnen und Kunden Kundinnen',
      '          und Kunden Kundinnen und Kunden',
      '          Kundinnen und Kunden Kundinnen und',
      '          Kunden Kundinnen und Kunden Kundinnen',
      '          und Kunden Kundinnen und Kunden',
      'status    active',
      'trigger   audience_join',
      'audience  aud_00000000014a184195',
      'version   12',
      'sandbox   members only',
    ],
  },
  {
    name: 'automations',
    columns: 80,
    lines: [
      'ID                      NAME                 STATUS  TRIGGER        SANDBOX',
      'aut_00000000014a184195  Kundinnen und Kund…  active  audience_join  members only',
    ],
  },
  {
    name: 'automations',
    columns: 120,
    lines: [
      'ID                      NAME                        STATUS  TRIGGER        AUDIENCE                VERSION  SANDBOX',
      'aut_00000000014a184195  Kundinnen und Kunden Kund…  active  audience_join  aud_00000000014a184195       12  members only',
    ],
  },
  {
    name: 'contacts',
    columns: 50,
    lines: ['EMAIL                                 STATUS', 'ana.a.very.long.address@customers.e…  unsubscribed'],
  },
  {
    name: 'contacts',
    columns: 80,
    lines: [
      'EMAIL                                        STATUS        FIRST NAME  LAST NAME',
      'ana.a.very.long.address@customers.example.…  unsubscribed  Ana         読者',
    ],
  },
  {
    name: 'contacts',
    columns: 120,
    lines: [
      'ID                      EMAIL                                          STATUS        FIRST NAME  LAST NAME',
      'sub_00000000014a184195  ana.a.very.long.address@customers.example.com  unsubscribed  Ana         読者',
    ],
  },
  {
    name: 'suppressions',
    columns: 50,
    lines: [
      'ID                      EMAIL            REASON',
      'sup_00000000014a184195  ana@example.com  bounced',
      'sup_00000000024a184195  –                –',
    ],
  },
  {
    name: 'suppressions',
    columns: 80,
    lines: [
      'ID                      EMAIL            REASON',
      'sup_00000000014a184195  ana@example.com  bounced',
      'sup_00000000024a184195  –                –',
    ],
  },
  {
    name: 'suppressions',
    columns: 120,
    lines: [
      'ID                      EMAIL            REASON',
      'sup_00000000014a184195  ana@example.com  bounced',
      'sup_00000000024a184195  –                –',
    ],
  },
  {
    name: 'runs',
    columns: 50,
    lines: [
      'run      run_20260102T100000000_4f1c0a',
      'command  suppressions import',
      'status   interrupted',
      'started  2 h ago',
      'unknown  3',
      'to       Newsletter',
      'origin   https://api.mail.example.com',
    ],
  },
  {
    name: 'runs',
    columns: 80,
    lines: [
      'RUN                            COMMAND          STATUS       UNKNOWN  TO',
      'run_20260102T100000000_4f1c0a  suppressions i…  interrupted        3  Newsletter',
    ],
  },
  {
    name: 'runs',
    columns: 120,
    lines: [
      'RUN                            COMMAND              STATUS       STARTED  UNKNOWN  TO          ORIGIN',
      'run_20260102T100000000_4f1c0a  suppressions import  interrupted  2 h ago        3  Newsletter  https://api.mail.example…',
    ],
  },
])('the list of $name fits into a terminal of $columns columns', async ({ name, columns, lines }) => {
  const screen = createVirtualScreen(columns);
  screen.write(TABLES[name]?.(createStyle(false, columns)) ?? '');
  expect((await screen.text()).split('\n')).toEqual(lines);
});
