/** An example in the help of a command. A test replaces its ids and files with real ones, and runs the line. */
export interface Example {
  readonly line: string;
  readonly does: string;
  /** The exit code that the test expects; 0 by default. */
  readonly exit?: number;
}

export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  migrate: [
    { line: 'svc migrate list.csv --dry-run', does: 'reads everything, shows the plan, sends nothing' },
    { line: 'svc migrate list.csv --audience aud_1a2b', does: 'shows the plan, asks once, goes ahead' },
    {
      line: 'svc migrate list.csv --map "First=first_name" --save-mapping answers.json --yes',
      does: 'keeps the answers for cron; --yes agrees to the plan beforehand',
    },
  ],
  'contacts import': [
    {
      line: 'svc contacts import list.csv --audience aud_1a2b --json --yes',
      does: 'contacts only, from a script; the report as JSON',
    },
    {
      line: 'svc contacts import list.csv --audience aud_1a2b --only-changed --gone report --yes -q',
      does: 'every night: sends who changed, names who is missing, prints nothing on success',
    },
  ],
  'contacts ls': [
    { line: 'svc contacts ls --limit 20', does: 'the newest twenty' },
    { line: 'svc contacts ls --audience aud_1a2b --status unsubscribed --json', does: 'who left, with all fields' },
  ],
  'contacts get': [{ line: 'svc contacts get ana@example.com --topics', does: 'one person, by address' }],
  'contacts check': [
    {
      line: 'svc contacts check list.csv --audience aud_1a2b',
      does: 'is everything there? Exit 3 if the list and the audience differ',
      exit: 3,
    },
    {
      line: 'svc contacts check list.csv --audience aud_1a2b --json --output differences.csv',
      does: 'counts as JSON, and every person in a CSV',
      exit: 3,
    },
  ],
  'contacts export': [
    {
      line: 'svc contacts export --audience aud_1a2b --output contacts.csv',
      does: 'a CSV; the same command continues after an interruption',
    },
    { line: 'svc contacts export --format ndjson', does: 'one object per line on stdout, for jq' },
  ],
  'suppressions import': [
    { line: 'svc suppressions import bounces.csv --reason bounced', does: 'every address of the file, as bounced' },
    { line: 'svc suppressions import bounces.csv --reason bounced --yes', does: 'the same from cron' },
  ],
  'suppressions ls': [{ line: 'svc suppressions ls --limit 20', does: 'the newest twenty' }],
  'suppressions count': [{ line: 'svc suppressions count', does: 'counts the suppressed addresses' }],
  'automations ls': [
    { line: 'svc automations ls', does: 'all but the archived ones' },
    { line: 'svc automations ls --status archived --json', does: 'the archived ones, with all fields' },
  ],
  'automations enroll': [
    { line: 'svc automations enroll aut_1a2b --email ana@example.com', does: 'one person' },
    { line: 'svc automations enroll aut_1a2b list.csv --dry-run', does: 'how many, and how long it will take' },
    { line: 'svc automations enroll aut_1a2b list.csv --yes', does: 'all of them, without a terminal' },
  ],
  'audiences ls': [{ line: 'svc audiences ls', does: 'all of them' }],
  'audiences get': [{ line: 'svc audiences get aud_1a2b --json', does: 'one, with its counts' }],
  'audiences create': [{ line: 'svc audiences create "Customers 2026"', does: 'a new one' }],
  'audiences rename': [{ line: 'svc audiences rename aud_1a2b "Customers"', does: 'gives it another name' }],
  'audiences delete': [
    {
      line: 'svc audiences delete aud_1a2b --confirm Newsletter',
      does: 'with its exact name, without a terminal',
    },
  ],
  'webhooks ls': [
    { line: 'svc webhooks ls', does: 'shows the health of each endpoint' },
    { line: 'svc webhooks ls --failing 3', does: 'for cron: exit 3 where a streak is at least three', exit: 0 },
  ],
  'webhooks get': [{ line: 'svc webhooks get whe_1a2b --json', does: 'everything about one endpoint' }],
  'webhooks deliveries': [
    { line: 'svc webhooks deliveries whe_1a2b --status failed --all', does: 'what was lost' },
    { line: 'svc webhooks deliveries whe_1a2b --summary', does: 'why, how often, and what to resend in the app' },
  ],
  'webhooks create': [
    {
      line: 'svc webhooks create --url https://hooks.example.com/in --event email.bounced --event email.complained --secret-file hook.secret',
      does: 'writes the secret to a new file that only you can read',
    },
  ],
  'webhooks update': [
    { line: 'svc webhooks update whe_1a2b --add-event email.failed', does: 'adds an event type' },
    { line: 'svc webhooks update whe_1a2b --url https://hooks.example.com:8443/in', does: 'another URL' },
  ],
  'webhooks delete': [{ line: 'svc webhooks delete whe_1a2b --confirm whe_1a2b', does: 'without a terminal' }],
  'webhooks verify': [
    {
      line: 'svc webhooks verify --secret-file secret --signature "t=1767225600,v1=5257a8" --payload body.json',
      does: 'exit 0 if the signature is right, else 3',
      exit: 3,
    },
  ],
  'webhooks listen': [
    { line: 'svc webhooks listen --port 0 --secret-file secret', does: 'prints one line per event, until Ctrl-C' },
    {
      line: 'svc webhooks listen --port 0 --secret-file secret --event email.bounced --forward-to http://localhost:3000/in',
      does: 'hands bounces on to the application on this machine, signature included',
    },
  ],
  'emails send': [
    {
      line: 'svc emails send --from me@example.com --to ana@example.org --subject Hello --text "It works."',
      does: 'one message',
    },
    {
      line: 'svc emails send --from me@example.com --to ana@example.org --subject Hello --html-file body.html --yes',
      does: 'the same as HTML, from a script',
    },
  ],
  doctor: [
    { line: 'svc doctor', does: 'checks everything and changes nothing' },
    {
      line: 'svc doctor --from me@example.com --to ana@example.org',
      does: 'also sends one message, after a question',
    },
  ],
  'runs ls': [{ line: 'svc runs ls', does: 'what ran here, newest first' }],
  'runs show': [{ line: 'svc runs show run_1a2b --json', does: 'the report of a run' }],
  'runs resume': [{ line: 'svc runs resume', does: 'continues the only unfinished one' }],
  'runs verify': [
    { line: 'svc runs verify', does: 'is everything of the latest import still there?' },
    { line: 'svc runs verify run_1a2b --json', does: 'the same for one run, as JSON' },
  ],
  'runs resolve': [
    {
      line: 'svc runs resolve run_1a2b --all not-enrolled',
      does: 'you looked in the app: none of the unknown people was enrolled',
    },
  ],
  'runs delete': [
    { line: 'svc runs delete run_1a2b --confirm run_1a2b', does: 'also where the outcome of rows is unknown' },
  ],
  'runs prune': [
    { line: 'svc runs prune --older-than 90d', does: 'removes runs that finished more than 90 days ago' },
    { line: 'svc runs prune --keep 30 -q', does: 'keeps the newest thirty; for cron' },
  ],
  'auth login': [
    { line: 'svc auth login --profile shop < key-file', does: 'stores a key; at a terminal you type it without echo' },
  ],
  'auth status': [{ line: 'svc auth status', does: 'shows each setting in force, and where it comes from' }],
  'auth logout': [{ line: 'svc auth logout', does: 'removes the key from this machine' }],
  completion: [{ line: 'svc completion bash', does: 'for ~/.bashrc: source <(svc completion bash)' }],
  help: [
    { line: 'svc help exit-codes', does: 'a topic' },
    { line: 'svc help webhooks create', does: 'a command' },
  ],
  'emulator start': [
    { line: 'svc emulator start --port 0 --plan free', does: 'the whole service on this machine, until Ctrl-C' },
  ],
  'emulator quirks': [{ line: 'svc emulator quirks', does: 'what the service document leaves open' }],
  'mcp ls': [{ line: 'svc mcp ls', does: 'the tools, with what each may do' }],
  'mcp call': [{ line: 'svc mcp call service_list_automations', does: 'one tool, once' }],
};
