"""The properties task with five options a question: ``variant: choice`` of the suite."""
