import { isFilledCell } from './lib/blank-cells.ts';
import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { TableReading, TableShape } from './lib/platform.ts';
import { describeColumns } from './lib/state-columns.ts';
import type { State, StatusReading } from './lib/states.ts';
import { BOUNCED, NONE, SUBSCRIBED, skipFor, UNSUBSCRIBED } from './lib/status-words.ts';

/**
 * Mailchimp audience export: a ZIP with one CSV file per status. The file name says the status. In a renamed file the
 * time columns show it.
 */
export const mailchimp = definePlatform({
  id: 'mailchimp',
  title: 'Mailchimp',
  roles: {
    email: ['Email Address'],
    unsubscribed_at: ['UNSUB_TIME', 'CLEAN_TIME'],
    consent: ['OPTIN_TIME', 'OPTIN_IP', 'CONFIRM_TIME', 'CONFIRM_IP'],
    internal: [
      ...['LATITUDE', 'LONGITUDE', 'GMTOFF', 'DSTOFF', 'TIMEZONE', 'CC', 'REGION', 'LAST_CHANGED', 'LEID', 'EUID'],
      ...['EMAIL_TYPE', 'UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID', 'UNSUB_REASON', 'UNSUB_REASON_OTHER'],
      ...['CLEAN_CAMPAIGN_TITLE', 'CLEAN_CAMPAIGN_ID'],
    ],
  },
  certainty({ header, name }) {
    const system = countHeaders(header, 'MEMBER_RATING', 'LEID', 'EUID');
    const isNamedForStatus = STATUS_IN_FILE_NAME.test(name);
    return system === 3
      ? 95
      : system === 2
        ? 85
        : isNamedForStatus
          ? 80
          : countHeaders(header, 'UNSUB_TIME', 'CLEAN_TIME') > 0
            ? 60
            : 0;
  },
  read: (shape) => ({
    ...stateRule(shape),
    quotedLists: shape.header.flatMap((header, index) => (header.trim().toUpperCase() === 'TAGS' ? [index] : [])),
    // Mailchimp writes times in UTC without a time zone: `2023-05-01 10:00:00`.
    timezone: 'UTC',
    dateOrder: 'ymd',
    engagement: findHeader(shape.header, 'MEMBER_RATING') >= 0 ? 'MEMBER_RATING' : undefined,
  }),
});

const STATUS_IN_FILE_NAME =
  /(?:^|[^a-z])(subscribed|unsubscribed|cleaned|nonsubscribed|archived)_?(email_audience|members|segment|audience)?_?export/i;
// Matches the status in a file name, also after a prefix: `unsubscribed_export.csv`, `2024-05-01_cleaned_export.csv`.
const STATUS = /(?:^|[^a-z])(subscribed|unsubscribed|cleaned|nonsubscribed|archived)[_\-. ]/i;

const BY_NAME: Readonly<Record<string, StatusReading>> = {
  subscribed: SUBSCRIBED,
  unsubscribed: UNSUBSCRIBED,
  cleaned: BOUNCED,
  nonsubscribed: skipFor('no_consent'),
  archived: skipFor('archived'),
};

// Matches Mailchimp's own names of files with subscribed people, and of copies: `subscribed_members_export_1a2b.csv`,
// `Copy of subscribed (1).csv`. In any other name a word beside `subscribed` may mean an opt-out:
// `un-subscribed_export.csv`, `subscribed until 2020.csv`.
const COPY = String.raw`[^\p{L}]|\b(?:mailchimp|(?:copy|copie|copia|kopie|kopia)(?:[ _-](?:of|von|de))?)(?![\p{L}\p{N}])`;
const HASH = String.raw`_(?:(?=[a-f]*\d)[\da-f]+|[\da-f]{8,})(?![\p{L}\p{N}])`;
const EXPORT = '(?:_(?:email_audience|members|segment|audience))?_export';
const SUBSCRIBED_FILE = new RegExp(
  `^(?:${COPY})*subscribed(?:${EXPORT}(?:${HASH})?)?(?:${COPY})*(?:[ct]sv|txt|$)`,
  'iu',
);

// True if the status in the file name comes from Mailchimp. For Mailchimp `cleaned` means bounced, but a user may call
// a list without bad addresses `cleaned.csv`. Only Mailchimp's own file has a column CLEAN_TIME.
function isExported(status: string, { name, header }: TableShape): boolean {
  if (status === 'subscribed' && !SUBSCRIBED_FILE.test(name)) {
    return false;
  }
  return status !== 'cleaned' || STATUS_IN_FILE_NAME.test(name) || findHeader(header, 'CLEAN_TIME') >= 0;
}

type StateRule = Pick<TableReading, 'stateSource' | 'stateOf' | 'suggestedState'>;

function stateRule(shape: TableShape): StateRule {
  const status = STATUS.exec(shape.name)?.[1]?.toLowerCase();
  const ofAllRows = status === undefined || !isExported(status, shape) ? undefined : BY_NAME[status];
  if (ofAllRows) {
    return { stateOf: () => ofAllRows, stateSource: 'file name' };
  }
  const dates = [timesIn(shape, 'UNSUB_TIME', UNSUBSCRIBED), timesIn(shape, 'CLEAN_TIME', BOUNCED)].flat();
  return dates.length === 0
    ? { stateOf: () => NONE, stateSource: undefined, suggestedState: suggestedStateOf(shape) }
    : byTimes([...dates, ...signsIn(shape)], shape);
}

// Only Mailchimp's file of unsubscribed people has the columns of `OPT_OUT_SIGNS`, and only its file of bounced people
// has those of `BOUNCE_SIGNS`. So a filled cell says who left, also without a time.
const OPT_OUT_SIGNS = ['UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID', 'UNSUB_REASON'];
const BOUNCE_SIGNS = ['CLEAN_CAMPAIGN_TITLE', 'CLEAN_CAMPAIGN_ID'];

function signsIn(shape: TableShape): readonly TimeColumn[] {
  return [
    ...OPT_OUT_SIGNS.flatMap((name) => timesIn(shape, name, UNSUBSCRIBED)),
    ...BOUNCE_SIGNS.flatMap((name) => timesIn(shape, name, BOUNCED)),
  ];
}

// The status that the column names show, for a renamed file without time columns.
function suggestedStateOf({ header }: TableShape): State | undefined {
  const hasHeader = (...names: readonly string[]) => countHeaders(header, ...names) > 0;
  return hasHeader(...OPT_OUT_SIGNS) ? 'unsubscribed' : hasHeader(...BOUNCE_SIGNS) ? 'bounced' : undefined;
}

interface TimeColumn {
  readonly index: number;
  /** The state of a row with a filled cell in this column. */
  readonly reading: StatusReading;
}

function timesIn({ header }: TableShape, name: string, reading: StatusReading): readonly TimeColumn[] {
  const index = findHeader(header, name);
  return index < 0 ? [] : [{ index, reading }];
}

// The rule of a file whose name says no status. A row with an opt-out time is unsubscribed, and a row with the time of
// a bounce is bounced. Cells under `OPT_OUT_SIGNS` and `BOUNCE_SIGNS` count like times. Any other row is subscribed
// (C12). If no row of the sample has such a cell, blank cells give no state.
function byTimes(times: readonly TimeColumn[], { header, sample }: TableShape): StateRule {
  const isFilled = ({ index }: TimeColumn, cells: readonly string[]) => isFilledCell(cells[index] ?? '');
  const hasTime = sample.some((cells) => times.some((column) => isFilled(column, cells)));
  const withoutTime = hasTime ? SUBSCRIBED : NONE;
  return {
    stateSource: describeColumns(
      header,
      times.map(({ index }) => index),
    ),
    stateOf: (cells) => times.find((column) => isFilled(column, cells))?.reading ?? withoutTime,
  };
}
