import './card.css';
import './consent.css';
import './panel.css';
