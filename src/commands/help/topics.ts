import { badUsage } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { platformIds } from '../../platforms/registry.ts';

/** The text of a topic of `svc help`. If no topic has this name, throws a usage error that lists the topics. */
export function readHelpTopic(name: string): { readonly topic: string; readonly text: string } {
  const text = TOPICS.get(name);
  if (text === undefined) {
    throw badUsage(
      `no command or topic: ${terminalSafe(name)}`,
      `Topics: ${[...TOPICS.keys()].join(', ')}. Commands: svc --help`,
    );
  }
  return { topic: name, text };
}

const EXIT_CODES_HELP = `EXIT CODES

    0  ok           Done. Merged duplicates, rows skipped by policy, addresses
                    that were suppressed already and known enrollment outcomes
                    are no failures.
    1  failed       The network or the service failed part-way. The command
                    that continues is printed.
    2  usage        Flags, arguments, an id that doesn't exist, an input that
                    can't be read.
    3  partial      Finished, but some rows were rejected, failed or are
                    unknown. Also: contacts check or runs verify found a
                    difference, webhooks ls --failing found an endpoint,
                    webhooks verify found no valid signature, doctor ends with
                    a warning.
    4  auth         Key missing, malformed, unknown or revoked; a scope is
                    missing; a test key.
    5  refused      A check stopped the run. Nothing was sent. The check names
                    the flag that allows it.
    6  busy         Another run holds this destination (--wait <duration> waits
                    for it), or the same message or creation is being sent.
    7  stopped      The service refused, and a repeat would not help
                    (plan limit, deleted audience, new automation,
                    --max-failures). The rest is unsent.
    8  unverified   What the service shows differs from what was sent.
   70  bug          A bug in svc.
   75  later        Waiting would pass --max-wait; resume at the time that is
                    printed.
  129  interrupted  SIGHUP: what was in flight is recorded.
  130  interrupted  SIGINT: the same.
  143  interrupted  SIGTERM: the same.

Where several apply: 70, then signals, 4, 7, 75, 1, 8, 3, 0. A dry run ends
with 0 or 5 (2 for unreadable input).

With --json an error is one object on stderr:
  {"error":{"code","message","hint","exit_code","request_id"}}
Decide on "code" and "exit_code"; "message" is for people and may change.

In a shell:
  svc webhooks ls --failing 3 || mail -s "webhooks" ops@example.com < /dev/null
`;

const ENVIRONMENT_HELP = `ENVIRONMENT

Precedence, always: flag, then environment, then profile, then default. An
empty variable counts as unset. Nothing in the working directory is read as
configuration. See what is in force: svc auth status

  SVC_BASE_URL      base URL of the service (--base-url): https, or http to
                    this machine
  SVC_API_KEY       the API key itself. There is no flag that takes it
  SVC_API_KEY_FILE  file that holds the key (--api-key-file)
  SVC_API_KEY_ORIGIN
                    the only origin that such a key may be sent to. TAB asks
                    the service for ids only if this or a profile names the
                    origin of the key
  SVC_PROFILE       profile of the configuration file (--profile)
  SVC_MCP_URL       MCP endpoint (--mcp-url)
  SVC_PLAN          free or paid (--plan)
  SVC_STATE_DIR     where runs are kept (--state-dir)
  XDG_STATE_HOME    else runs are kept in svc below it, else in
                    ~/.local/state/svc
  XDG_CONFIG_HOME   profiles are kept in svc/config.json below it, else in
                    ~/.config/svc/config.json
  NO_COLOR          no colors (--no-color)
  FORCE_COLOR       colors also without a terminal
  TERM              dumb: no colors and no progress bars
  HTTPS_PROXY       a proxy, except for this machine and what NO_PROXY names

A key in a profile is sent only to the origin that it was saved for.

In cron's empty environment:
  SVC_API_KEY_FILE=/etc/svc/key
  SVC_BASE_URL=https://...
  SVC_STATE_DIR=/var/lib/svc
  0 7 * * * svc webhooks ls --failing
  0 3 * * * svc contacts import /srv/list.csv --mapping /srv/answers.json
      --only-changed --gone report --wait 10m --yes -q      (one line)
  0 5 * * * svc runs prune --keep 30 -q
Without a terminal, each command that writes a list or mails people needs --yes.
`;

const IDEMPOTENCY_HELP = `IDEMPOTENCY

Every POST carries an Idempotency-Key, and the key is on disk before the first
byte is sent. PATCH, DELETE and GET carry none.

CONTENT KEYS  contact batches, suppressions, enrollments
  svc1.<op>.<destination>.<body>.g<N>: hashes of where it goes and of the exact
  bytes. The same rows to the same place make the same key on any machine, so a
  run repeated within 24 hours replays instead of writing. Keys hold no names,
  addresses or paths.

ONE-TIME KEYS  audiences create, webhooks create, emails send
  svc1.<op>.<random>: recorded in a run until the response arrives. After a
  lost response the same command, or svc runs resume, sends the same key. A new
  command makes a new key.

WHAT IS REPEATED, AND FOR HOW LONG
  contact batches, suppressions   may be written twice without harm; after a
                                  lost response the same key is sent again
  enrollments, creations           same key only, within 4 min 30 s of the first
                                  send; then "unknown", for you to decide
  a webhook's secret              later too: svc looks by URL first, then sends
                                  the same key once
  emails send                     23 hours; the service sends once

REPLAYS
  A replay (Idempotency-Replayed: true) writes nothing: people deleted since
  stay deleted. Replays are counted apart.
  A refusal that is replayed after its cause is gone takes the next version
  (g1 to g9) of the key.
  --again writes the same rows once more, on purpose. --at-most-once never
  repeats an enrollment whose outcome is unknown.
`;

const MAPPING_HELP = `MAPPING

How svc maps the columns of a list. The plan shows it before anything is
sent: svc migrate list.csv --dry-run

PLATFORMS
  --from <platform>         recognized by the columns of the list; one of

${columns(platformIds())}

COLUMNS
  --map <column=field>      field: email, first_name, last_name, name, status,
                            unsubscribed_at, reason, topics.<top_...>,
                            attributes.<key>, ignore. Split at the last "=". A
                            column may be its number where there is no header.
                            Several columns may be email: the first usable
                            address of a row is taken, in the order of the
                            flags, and an opt-out holds for all of them.
                            With several inputs, "list.csv:column" is a column
                            of that input only.
  --allow-joined-files      rejects the header of another list and the rows
                            below it instead of stopping.
  --allow-heading <text>    the people below the row with this text, such as
                            "Left in 2023", did not leave. Another text stops.
  --allow-legend <text>     no person has the mark that this text explains, such
                            as "* = left". Another text stops.
  --allow-blanks <column>   a blank of this column does not mean the same as the
                            cell above it.
  --attributes <a,b|all|none>
                            which columns become attributes. Keys are
                            normalized (Company / Org becomes company_org). Two
                            columns that would become one key stop the run if a
                            person has different values in them.
  --topic-value <column=value>
                            the value to send for a cell of a topics. column.
  --max-new-fields <n>      stop when more custom fields than this would be
                            created (50).

STATES
  --status-map <word=state> state: subscribed, unsubscribed, pending, bounced,
                            complained, suppressed, skip. "=state" answers the
                            blank, "Code:B=state" the word B of one column. An
                            unknown word stops the run. With several inputs,
                            "list.csv:word" counts for that one only. "Code:*"
                            means all other words of the column; a cell that
                            says * is "Code:\\*".
  --default-status [file=]<state>
                            for rows of inputs that hold no state anywhere.

  the row says                    suppression    contact
  subscribed                                     created or updated; an
                                                 existing opt-out stays
  left this list                                 unsubscribed, with its date
  left everything, blocked        unsubscribed
  hard bounce, cleaned            bounced
  complaint                       complained
  soft bounce, unconfirmed                       skipped, and reported

DATES
  --timezone <zone>, --date-order <ymd|dmy|mdy>

ONCE FOR ALL
  --save-mapping <file> keeps all answers as JSON; --mapping <file> gives them
  again, from cron for instance. Flags outrank the file. If a column that the
  file names is gone, or a column number means another column, svc refuses it.
  left=subscribed is saved with the columns in which the list has the word, as
  Status:left=subscribed. So svc asks when a later list has it elsewhere.
`;

// The words in indented lines, four words in each. No line is longer than 80 characters.
function columns(words: readonly string[]): string {
  const lines = Array.from({ length: Math.ceil(words.length / 4) }, (_, line) => words.slice(4 * line, 4 * line + 4));
  const padWords = (line: readonly string[]) => line.map((word) => word.padEnd(18)).join('');
  return lines.map((line) => `  ${padWords(line).trimEnd()}`).join('\n');
}

const TOPICS: ReadonlyMap<string, string> = new Map([
  ['exit-codes', EXIT_CODES_HELP],
  ['environment', ENVIRONMENT_HELP],
  ['mapping', MAPPING_HELP],
  ['idempotency', IDEMPOTENCY_HELP],
]);
