import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/forms.css';
import './styles/parts.css';
import './styles/tables.css';
import './styles/shell.css';
import { render } from 'preact';
import { App } from './app.tsx';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
