import { render } from 'preact';
import { App, start } from './app';
import { startTheme } from './timeline/theme';
import './styles/page.css';

startTheme();
render(<App />, document.getElementById('app')!);
start();
