import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import type { RunOptions } from '../../../support/world.ts';
import { type Story, testEveryCommand, testStories } from './stories.ts';

const env = (values: Readonly<Record<string, string>>) => (): RunOptions => ({ env: values });
const NO_KEY = env({ SVC_API_KEY: '' });

/** Stops a server after its first line. */
function stopAtStart(): RunOptions {
  const stop = new AbortController();
  return { signal: stop.signal, onWrite: () => stop.abort(createInterruption('SIGTERM')) };
}

const STORIES: readonly Story[] = [
  {
    title: 'settings that are missing or wrong',
    steps: [
      { line: 'audiences ls', run: NO_KEY, when: 'no key' },
      { line: 'audiences ls', run: env({ SVC_BASE_URL: '' }), when: 'no base URL' },
      { line: 'audiences ls', run: env({ SVC_BASE_URL: 'https://mail.example.test/v1' }), when: 'a URL with /v1' },
      { line: 'audiences ls', run: env({ SVC_BASE_URL: 'http://mail.example.test' }), when: 'no https' },
      { line: 'audiences ls', run: env({ SVC_API_KEY: 'service_test_1' }), when: 'a test key' },
      { line: 'audiences ls', run: env({ SVC_API_KEY: 'svc_wrong' }), when: 'an unknown key' },
      { line: 'audiences ls', run: env({ SVC_PROFILE: 'nothing' }), when: 'no such profile' },
      'audiences ls --emulator --base-url https://mail.example.test',
      'audiences ls --plan none',
      'audiences ls --nothing',
      'audiences nothing',
      'nothing',
      'audiences get',
      'audiences ls --limit',
    ],
  },
  {
    title: 'auth',
    steps: [
      'auth status',
      { line: 'auth status', run: NO_KEY, when: 'no key' },
      { line: 'auth login', run: ({ emulator }) => ({ stdin: emulator.apiKey, env: { SVC_API_KEY: '' } }) },
      { line: 'auth login --profile shop', run: () => ({ stdin: 'svc_wrong', env: { SVC_API_KEY: '' } }) },
      { line: 'auth login --profile shop --no-check', run: () => ({ stdin: 'svc_new', env: { SVC_API_KEY: '' } }) },
      { line: 'auth login', run: () => ({ stdin: '', env: { SVC_API_KEY: '' } }), when: 'nothing is typed' },
      { line: 'auth status --profile shop', run: NO_KEY },
      'auth logout --profile shop',
      'auth logout --profile shop',
    ],
  },
  {
    title: 'doctor',
    steps: [
      'doctor',
      { line: 'doctor', run: env({ SVC_API_KEY: 'svc_wrong' }) },
      { line: 'doctor', run: env({ SVC_BASE_URL: '', SVC_API_KEY: '' }) },
      'doctor --from me@example.com --to ana@example.org --yes',
      'doctor --from me@example.com',
    ],
  },
  {
    title: 'completion and help',
    steps: ['completion tcsh', 'completion bash', 'help exit-codes', 'help nothing', 'help audiences ls'],
  },
  {
    title: 'the emulator',
    steps: [
      { line: 'emulator start --port 0', run: stopAtStart },
      'emulator start --port x',
      'emulator start --seed none.json',
      { line: 'emulator start --faults bad.json', before: ({ file }) => file('bad.json', '[{"kind":"nothing"}]') },
      'emulator quirks',
    ],
  },
  {
    title: 'mcp without an endpoint',
    steps: ['mcp ls', 'mcp call look', 'mcp ls --mcp-url https://mail.example.test/v1 --emulator'],
  },
];

testStories('local', STORIES);
testEveryCommand();
