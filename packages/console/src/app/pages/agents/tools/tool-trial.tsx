import type { ToolTrialAnswer } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../../data/use-action.ts';
import type { ConsoleSession } from '../../../session/session.ts';
import { toolTexts } from '../../../texts/en/agents.ts';
import { texts } from '../../../texts/en.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { CodeEditor } from '../../../ui/editor/code-editor.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formatLatency } from '../../../ui/values/format.ts';
import { JsonBlock } from '../../../ui/values/json-block.tsx';

export interface ToolTrialProps {
  readonly session: ConsoleSession;
  readonly agentId: string;
  /** Null for an MCP server, whose tool is entered by name. */
  readonly name: string | null;
  /** Initial arguments as JSON. */
  readonly example: string;
  readonly onClose: () => void;
}

const { trial: words } = toolTexts;

/** Runs a saved tool with entered arguments and shows the result as the model would get it. */
export function ToolTrial({ session, agentId, name: fixed, example, onClose }: ToolTrialProps): JSX.Element {
  const [name, setName] = useState(fixed ?? '');
  const [json, setJson] = useState(example);
  const [answer, setAnswer] = useState<ToolTrialAnswer | null>(null);
  const { isBusy, error, run } = useAction();
  const args = argumentsOf(json);
  const start = (): void => {
    if (args === null) return;
    setAnswer(null);
    void run(async () => setAnswer(await session.client.agents.tryTool(agentId, { name, arguments: args })));
  };
  return (
    <Dialog title={words.title(fixed ?? words.ofServer)} isWide onClose={onClose}>
      <p class="help">{words.explanation}</p>
      <div class="form">
        {fixed === null && (
          <label class="field">
            <span class="field-label">{words.name}</span>
            <input value={name} maxLength={128} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
        )}
        <div class="field">
          <div class="field-label">{words.arguments}</div>
          <CodeEditor label={words.arguments} language="json" value={json} isDisabled={isBusy} onChange={setJson} />
          {args === null && <p class="fault">{words.noObject}</p>}
        </div>
      </div>
      {error !== null && <ErrorNotice error={error} />}
      {answer !== null && <Answer answer={answer} />}
      <footer class="actions">
        <Button onClick={onClose}>{texts.dialog.close}</Button>
        <Button kind="primary" isBusy={isBusy} isDisabled={args === null || name === ''} onClick={start}>
          {words.run}
        </Button>
      </footer>
    </Dialog>
  );
}

function Answer({
  answer: { ok, result, error, latency_ms: latencyMs },
}: {
  readonly answer: ToolTrialAnswer;
}): JSX.Element {
  const time = formatLatency(latencyMs);
  return (
    <div role="status">
      <p class={`notice ${ok ? 'good' : 'bad'}`}>{ok ? words.done(time) : words.failed(time)}</p>
      <JsonBlock value={ok ? result : error} />
    </div>
  );
}

/** Parses a JSON object; null for anything else. */
function argumentsOf(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
