import '../ui/tokens.css';
import '../ui/base.css';
import './console.css';
import { render } from 'preact';
import type { PageData } from '../ui/api/page-data.ts';
import { takeFragment } from '../ui/fragment.ts';
import { App } from './app.tsx';
import { showKeptTheme } from './shell/theme.ts';

const root = document.getElementById('console');
const data = document.getElementById('page-data')?.textContent;
const fragment = takeFragment(location, history);
showKeptTheme();
// Written by our own service.
if (root && data) render(<App data={JSON.parse(data) as PageData} fragment={fragment} />, root);
