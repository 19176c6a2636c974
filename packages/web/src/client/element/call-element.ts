import { createWebCall } from '../index.ts';
import type { WebCall, WebCallOptions, WebCallState } from '../web-call.ts';

const labels: Readonly<Record<WebCallState, string>> = {
  idle: 'Call',
  connecting: 'Connecting …',
  listening: 'Listening',
  thinking: 'One moment …',
  speaking: 'Speaking',
  reconnecting: 'Reconnecting …',
  ended: 'Call again',
};

const style = `
  :host { display: inline-block; font: inherit; }
  button { font: inherit; padding: 0.6em 1.2em; border: 0; border-radius: 2em; cursor: pointer; }
  button { background: var(--va-call-color, #1a5fb4); color: var(--va-call-text, #fff); }
  p { margin: 0.4em 0 0; }
`;

/**
 * Defines the element `<va-call>`: a button that calls. `token-url` is a page of your server that answers a POST with
 * `url` and `token` of `POST /calls/web`. Without a server, `key` is a publishable key, `api` the URL of the service
 * and `agent` the id of the agent; `variables` may be a JSON object of values. `label` is the button's text. The
 * element dispatches `va-state`, `va-transcript`, `va-latency`, `va-tool` and `va-ended` with the event of the call as
 * `detail`.
 *
 * @example defineCallElement(); // then, in the page: <va-call token-url="/call" label="Talk to us"></va-call>
 * @example <va-call api="https://example.com/voice" key="va_pk_…" agent="0190…" label="Talk to us"></va-call>
 */
export function defineCallElement(name = 'va-call'): void {
  // Does nothing on a server that renders pages.
  if (typeof customElements === 'undefined' || customElements.get(name) !== undefined) return;

  class CallElement extends HTMLElement {
    readonly #button = document.createElement('button');
    readonly #message = document.createElement('p');
    #call: WebCall | null = null;

    connectedCallback(): void {
      if (this.shadowRoot === null) {
        const sheet = document.createElement('style');
        sheet.textContent = style;
        this.#message.setAttribute('role', 'status');
        this.attachShadow({ mode: 'open' }).append(sheet, this.#button, this.#message);
        this.#button.addEventListener('click', () => void this.#toggle());
      }
      this.#show('idle');
    }

    disconnectedCallback(): void {
      this.#call?.hangUp();
    }

    async #toggle(): Promise<void> {
      if (this.#call !== null) {
        this.#call.hangUp();
        return;
      }
      this.#message.textContent = '';
      this.#button.disabled = true;
      try {
        const call = createWebCall(await this.#optionsOf());
        this.#call = call;
        this.#listen(call);
        this.#button.disabled = false;
        await call.start();
      } catch (thrown) {
        this.#message.textContent = thrown instanceof Error ? thrown.message : String(thrown);
        this.#call = null;
        this.#button.disabled = false;
        this.#show('idle');
      }
    }

    async #optionsOf(): Promise<WebCallOptions> {
      const attribute = (name: string): string => this.getAttribute(name) ?? '';
      if (this.hasAttribute('key')) {
        const variables = JSON.parse(attribute('variables') || '{}');
        const [baseUrl, publishableKey, agentId] = [attribute('api'), attribute('key'), attribute('agent')];
        return { baseUrl, publishableKey, agentId, variables };
      }
      const response = await fetch(attribute('token-url'), { method: 'POST' });
      if (!response.ok) throw new Error(`The call was refused (${response.status}).`);
      return (await response.json()) as WebCallOptions;
    }

    #listen(call: WebCall): void {
      for (const each of ['transcript', 'latency', 'tool'] as const) {
        call.on(each, (detail) => this.#dispatch(each, detail));
      }
      call.on('state', (detail) => {
        this.#show(detail.state);
        this.#dispatch('state', detail);
      });
      call.on('suspended', () => {
        this.#message.textContent = 'Click anywhere to hear the call.';
      });
      call.on('ended', (detail) => {
        this.#call = null;
        this.#message.textContent = detail.error?.message ?? '';
        this.#dispatch('ended', detail);
      });
    }

    #dispatch(event: string, detail: unknown): void {
      this.dispatchEvent(new CustomEvent(`va-${event}`, { detail, bubbles: true, composed: true }));
    }

    #show(state: WebCallState): void {
      this.setAttribute('state', state);
      const isLive = state !== 'idle' && state !== 'ended';
      this.#button.textContent = (state === 'idle' ? this.getAttribute('label') : null) ?? labels[state];
      this.#button.title = isLive ? 'Hang up' : '';
      if (state === 'listening') this.#message.textContent = '';
    }
  }

  customElements.define(name, CallElement);
}
