import './card.css';
import './consent.css';
