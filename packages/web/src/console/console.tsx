import { render } from 'preact';
import '../ui/base.css';
import { takeFragment } from '../ui/browser.ts';
import type { PageData } from '../ui/locale.ts';
import '../ui/tokens.css';
import { App } from './app.tsx';
import './console.css';
import { showKeptTheme } from './shell/theme.ts';

const root = document.getElementById('console');
const data = document.getElementById('page-data')?.textContent;
const fragment = takeFragment(location, history);
showKeptTheme();
// Written by our own service.
if (root && data) render(<App data={JSON.parse(data) as PageData} fragment={fragment} />, root);
