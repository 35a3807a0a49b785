/**
 * yaml-language-server, the one behind the YAML support of most editors, as a process spoken to over its protocol
 * (LSP 3.17: JSON-RPC on stdio, each message after a Content-Length header).
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createFrames, type Frames } from './content-length.ts';

const require = createRequire(import.meta.url);
const SERVER = require.resolve('yaml-language-server/bin/yaml-language-server');

/** What an editor is set to; without the schema store, nothing is fetched from the network. */
const SETTINGS: Readonly<Record<string, unknown>> = {
  yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false } },
};

/** Zero-based, as in the protocol. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

export interface EditorDiagnostic {
  readonly range: { readonly start: Place; readonly end: Place };
  readonly message: string;
}

export interface Completion {
  readonly label: string;
  readonly insertText?: string;
  readonly documentation?: string | { readonly value: string };
}

export interface LanguageServer {
  /** Opens a text as a file and resolves with the problems that the server finds in it. */
  open(uri: string, text: string): Promise<readonly EditorDiagnostic[]>;
  complete(uri: string, position: Place): Promise<readonly Completion[]>;
  /** The Markdown shown at a place; undefined where there is nothing to show. */
  hover(uri: string, position: Place): Promise<string | undefined>;
  /** Asks the server to end and resolves when the process has. */
  close(): Promise<void>;
}

/** Starts the server; resolves once it has read its settings. */
export async function startLanguageServer(): Promise<LanguageServer> {
  const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => void child.on('close', () => resolve()));
  const frames = createFrames(child.stdout, child.stdin);
  const { request, notify, published, configured } = converse(frames);
  void ended.then(() => frames.fail(new Error('yaml-language-server has ended')));
  await request('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      workspace: { configuration: true },
      textDocument: { hover: { contentFormat: ['markdown'] } },
    },
  });
  notify('initialized', {});
  await configured;
  return {
    open: async (uri, text) => {
      const diagnostics = published(uri);
      notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
      return diagnostics;
    },
    complete: async (uri, position) => {
      const list = await request('textDocument/completion', { textDocument: { uri }, position });
      return (list as { items: Completion[] }).items;
    },
    hover: async (uri, position) => {
      const hover = await request('textDocument/hover', { textDocument: { uri }, position });
      return (hover as { contents: { value: string } } | null)?.contents.value;
    },
    close: async () => {
      await request('shutdown', undefined);
      notify('exit', undefined);
      await ended;
    },
  };
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiter {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Our requests and their answers, the server's requests and ours, and what it publishes. */
function converse(frames: Frames) {
  const answers = new Map<number, Waiter>();
  const publications = new Map<string, Waiter>();
  let lastId = 0;
  let settled = () => {};
  const configured = new Promise<void>((resolve) => {
    settled = resolve;
  });
  const send = (message: Message) => frames.send({ jsonrpc: '2.0', ...message });

  frames.receive((received) => {
    const message = received as Message;
    if (message.method === undefined) answered(message);
    else if (message.id !== undefined) send({ id: message.id, result: answerTo(message) });
    else if (message.method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = message.params as { uri: string; diagnostics: unknown };
      publications.get(uri)?.resolve(diagnostics);
    }
    if (message.method === 'workspace/configuration') settled();
  });
  frames.onFailure((error) => {
    for (const waiter of [...answers.values(), ...publications.values()]) waiter.reject(error);
  });

  function answered({ id, result, error }: Message): void {
    const waiter = answers.get(Number(id));
    answers.delete(Number(id));
    if (error) waiter?.reject(new Error(error.message));
    else waiter?.resolve(result);
  }

  return {
    configured,
    notify: (method: string, params: unknown) => send({ method, params }),
    request: (method: string, params: unknown) =>
      new Promise<unknown>((resolve, reject) => {
        lastId += 1;
        answers.set(lastId, { resolve, reject });
        send({ id: lastId, method, params });
      }),
    published: (uri: string) =>
      new Promise<readonly EditorDiagnostic[]>((resolve, reject) => {
        publications.set(uri, { resolve: (value) => resolve(value as EditorDiagnostic[]), reject });
      }),
  };
}

function answerTo({ method, params }: Message): unknown {
  if (method !== 'workspace/configuration') return null;
  return (params as { items: { section: string }[] }).items.map(({ section }) => SETTINGS[section] ?? null);
}
