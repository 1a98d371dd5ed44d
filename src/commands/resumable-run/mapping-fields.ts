import type { ImportCommand } from '../../migrate/options.ts';
import type { ImportFlags } from './import-flags.ts';

/** The options that a mapping file stores, by their name in the file. Values are as typed for the flag. */
export const FIELDS = {
  audience: 'audience',
  audience_name: 'audienceName',
  from: 'from',
  map: 'map',
  status_map: 'statusMap',
  default_status: 'defaultStatus',
  attributes: 'attributes',
  topic_value: 'topicValue',
  max_new_fields: 'maxNewFields',
  max_failures: 'maxFailures',
  timezone: 'timezone',
  date_order: 'dateOrder',
  encoding: 'encoding',
  delimiter: 'delimiter',
  quote: 'quote',
  escape: 'escape',
  empty: 'empty',
  duplicates: 'duplicates',
  allow_joined_files: 'allowJoinedFiles',
  reason: 'reason',
  allow_automation: 'allowAutomation',
} as const satisfies Readonly<Record<string, keyof ImportFlags>>;

/** Fields that hold a list of texts. */
export const LIST_FIELDS: readonly string[] = [
  'map',
  'status_map',
  'default_status',
  'topic_value',
  'allow_automation',
];

/** The commands that take --mapping. */
export type MappingCommand = ImportCommand | 'contacts check' | 'automations enroll';

const REASON = 'it says that every person of the list must be suppressed';
const FLOW = 'the automation decides the audience';
const WHOLE_ACCOUNT = 'a suppression holds in the whole account, not in one audience';
/** The command does not do what this limit or permission is about, so it may ignore the field. */
export const HARMLESS = undefined;

/** The fields for which a command has no flag, and why it refuses them. */
export const WITHOUT_FLAG: Readonly<
  Record<MappingCommand, Readonly<Partial<Record<keyof typeof FIELDS, string | undefined>>>>
> = {
  migrate: { reason: REASON },
  'contacts import': { reason: REASON },
  'contacts check': { reason: REASON, allow_automation: HARMLESS, max_new_fields: HARMLESS },
  'automations enroll': { reason: REASON, audience: FLOW, audience_name: FLOW },
  'suppressions import': {
    audience: WHOLE_ACCOUNT,
    audience_name: WHOLE_ACCOUNT,
    allow_automation: HARMLESS,
    max_new_fields: HARMLESS,
  },
};
