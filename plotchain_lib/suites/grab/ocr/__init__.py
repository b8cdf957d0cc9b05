"""Thirty-five multiple-choice questions on a figure's text: ``variant: ocr`` of the suite."""
